import socket

server = socket.socket()
server.bind(("127.0.0.1", 7777))
server.listen()
peer, _ = server.accept()
peer.sendall(peer.recv(1024))
