//! The server as a client without a library sees it: bytes over a socket.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use pacenote_probe::{ASIDE, BODY_CAP, CONNECTIONS, Kind, Reply, SUMMARY, Script, Server, Wire};
use serde_json::{Value, json};

/// Longer than any machine takes to answer; only failing tests wait for it.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection to the server.
struct Client(BufReader<TcpStream>);

struct Answer {
    status: u16,
    media_type: String,
    body: String,
}

impl Client {
    fn new(server: &Server) -> Self {
        let address = server.base_url().replace("http://", "");
        let connect = || {
            let stream = TcpStream::connect(address)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            Ok::<_, std::io::Error>(stream)
        };
        Self(BufReader::new(connect().unwrap_or_else(|error| panic!("{error}"))))
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).unwrap_or_else(|error| panic!("{error}"));
    }

    fn post(&mut self, path: &str, body: &Value) -> Answer {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: secret\r\nAuthorization: Bearer secret\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.send((head + &body).as_bytes());
        self.answer()
    }

    fn answer(&mut self) -> Answer {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.0.read_line(&mut head).unwrap_or_else(|error| panic!("{error}"));
            assert!(read > 0, "the connection closed after {head:?}");
        }
        let value = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
            line.to_owned()
        };
        let mut body = vec![0; value("content-length: ").parse().unwrap_or_default()];
        self.0.read_exact(&mut body).unwrap_or_else(|error| panic!("{error}"));
        Answer {
            status: head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or_default(),
            media_type: value("content-type: "),
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    fn is_closed(&mut self) -> bool {
        match self.0.fill_buf() {
            Ok(bytes) => bytes.is_empty(),
            // So it looks when the server closes before it has read everything.
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Returns the names of the events and their data.
    fn events(&self) -> Vec<(String, Value)> {
        let event = |text: &str| {
            let (name, data) = text.split_once("\ndata: ")?;
            Some((name.strip_prefix("event: ")?.to_owned(), serde_json::from_str(data).ok()?))
        };
        let texts = self.body.split_terminator("\n\n");
        texts.map(|text| event(text).unwrap_or_else(|| panic!("no event: {text}"))).collect()
    }
}

fn server(replies: impl IntoIterator<Item = Reply>) -> Server {
    Server::start(Script::new(replies)).unwrap_or_else(|error| panic!("{error}"))
}

fn turn(text: &str) -> Value {
    turn_with(text, &json!(false))
}

fn streamed(text: &str) -> Value {
    turn_with(text, &json!(true))
}

fn turn_with(text: &str, stream: &Value) -> Value {
    json!({
        "model": "claude-opus-5-5",
        "max_tokens": 1000,
        "stream": stream,
        "tools": [{ "name": "Bash", "input_schema": {} }],
        "messages": [{ "role": "user", "content": text }],
    })
}

#[test]
fn a_reply_as_json() {
    let server = server([Reply::text("good day").usage(7, 3)]);
    let answer = Client::new(&server).post("/v1/messages?beta=true", &turn("hello"));
    assert_eq!((answer.status, &*answer.media_type), (200, "application/json"));
    let message = answer.json();
    assert_eq!(message["content"], json!([{ "type": "text", "text": "good day" }]));
    assert_eq!(message["model"], "claude-opus-5-5");
    assert_eq!(message["stop_reason"], "end_turn");
    assert_eq!(message["usage"]["input_tokens"], 7);
    assert_eq!(message["usage"]["output_tokens"], 3);
}

#[test]
fn a_reply_as_a_stream_of_events() {
    let server = server([Reply::text("good day")]);
    let answer = Client::new(&server).post("/v1/messages?beta=true", &streamed("hello"));
    assert_eq!((answer.status, &*answer.media_type), (200, "text/event-stream"));
    let events = answer.events();
    let names: Vec<_> = events.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        [
            "message_start",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop"
        ]
    );
    assert!(events.iter().all(|(name, data)| data["type"] == **name));
    assert_eq!(events[0].1["message"]["content"], json!([]));
    assert_eq!(events[0].1["message"]["stop_reason"], Value::Null);
    assert_eq!(events[2].1["delta"], json!({ "type": "text_delta", "text": "good day" }));
    assert_eq!(events[4].1["delta"]["stop_reason"], "end_turn");
}

#[test]
fn a_call_of_a_tool() {
    let input = json!({ "command": "echo \"hi\"" });
    let call = || Reply::tool("Bash", input.clone());
    let server = server([call(), call()]);
    let mut client = Client::new(&server);

    let message = client.post("/v1/messages", &turn("hello")).json();
    assert_eq!(message["stop_reason"], "tool_use");
    assert_eq!(message["content"][0]["name"], "Bash");
    assert_eq!(message["content"][0]["input"], input);

    let events = client.post("/v1/messages", &streamed("hello")).events();
    assert_eq!(events[1].1["content_block"]["input"], json!({}));
    let pieces = events[2].1["delta"]["partial_json"].as_str().expect("a piece of JSON");
    assert_eq!(serde_json::from_str::<Value>(pieces).expect("the whole JSON"), input);
    assert_eq!(events[4].1["delta"]["stop_reason"], "tool_use");
    assert_ne!(events[1].1["content_block"]["id"], message["content"][0]["id"]);
}

#[test]
fn calls_of_several_tools_at_once() {
    let calls = || [("Bash", json!({ "command": "true" })), ("Read", json!({ "file_path": "a" }))];
    let server = server([Reply::tools(calls()), Reply::tools(calls())]);
    let mut client = Client::new(&server);

    let message = client.post("/v1/messages", &turn("hello")).json();
    let [bash, read] = [0, 1].map(|place| &message["content"][place]);
    assert_eq!([&bash["name"], &read["name"]], ["Bash", "Read"]);
    assert_ne!(bash["id"], read["id"]);

    let events = client.post("/v1/messages", &streamed("hello")).events();
    let opened: Vec<_> = events
        .iter()
        .filter(|(name, _)| name == "content_block_start")
        .map(|(_, data)| (&data["index"], &data["content_block"]["name"]))
        .collect();
    assert_eq!(opened, [(&json!(0), &json!("Bash")), (&json!(1), &json!("Read"))]);
}

#[test]
fn a_scripted_error_keeps_the_connection_and_the_rest_of_the_script() {
    let server = server([Reply::error(529, "overloaded_error"), Reply::text("better now")]);
    let mut client = Client::new(&server);
    let answer = client.post("/v1/messages", &streamed("hello"));
    assert_eq!(answer.status, 529);
    assert_eq!(answer.json()["error"]["type"], "overloaded_error");
    assert!(client.post("/v1/messages", &streamed("hello")).body.contains("better now"));
}

#[test]
fn a_conversation_apart_has_replies_of_its_own() {
    let script = Script::new([Reply::text("to the captain"), Reply::text("to the captain again")])
        .apart("sew the sail", [Reply::text("to the sailor")]);
    let server = Server::start(script).expect("the server starts");
    let mut client = Client::new(&server);
    let mut said =
        |text: &str| client.post("/v1/messages", &turn(text)).json()["content"][0]["text"].clone();
    assert_eq!(said("have it sewn"), "to the captain");
    assert_eq!(server.replies_left(), 2);
    assert_eq!(said("please sew the sail"), "to the sailor");
    assert_eq!(said("is it done?"), "to the captain again");
    assert_eq!(said("please sew the sail"), "the script has no further reply");
    assert_eq!(server.replies_left(), 0);
}

#[test]
fn only_the_conversation_takes_from_the_script() {
    let server = server([Reply::text("first"), Reply::text("second")]);
    let mut client = Client::new(&server);
    let summariser = "Your task is to create a detailed summary of the conversation so far, in a \
                      <summary> block.";
    let title = json!({ "messages": [{ "role": "user", "content": "a title, please" }] });
    let transcript = [
        ("/v1/messages", turn("hello"), Kind::Conversation, "first"),
        ("/v1/messages", turn(summariser), Kind::Summary, SUMMARY),
        ("/v1/messages", title, Kind::Side, ASIDE),
        ("/v1/messages/count_tokens", turn("hello"), Kind::Side, "input_tokens"),
        ("/v1/messages", turn("go on"), Kind::Conversation, "second"),
        ("/v1/messages", turn("and on"), Kind::Conversation, "the script has no further reply"),
    ];
    for (path, body, _, said) in &transcript {
        let answer = client.post(path, body);
        assert_eq!(answer.status, 200);
        assert!(answer.body.contains(said), "{said}: {}", answer.body);
    }
    assert_eq!(server.replies_left(), 0);
    let kinds: Vec<_> = server.requests().iter().map(|request| request.kind).collect();
    assert_eq!(kinds, transcript.map(|(_, _, kind, _)| kind));
}

#[test]
fn every_wire_form_plays_the_same_script() {
    let said = ["one", "two", "three", "four"];
    let server = server(said.map(Reply::text));
    let message = json!([{ "role": "user", "content": "marker and marker" }]);
    let content = json!([{ "role": "user", "parts": [{ "text": "marker and marker" }] }]);
    let tool = json!([{ "type": "function", "name": "look" }]);
    let functions = json!([{ "functionDeclarations": [{ "name": "look" }] }]);
    let generate = "/v1beta/models/any:generateContent";
    let turns = [
        ("/v1/messages", turn("marker and marker"), Wire::Anthropic),
        ("/v1/responses", json!({ "input": message, "tools": tool }), Wire::Responses),
        ("/v1/chat/completions", json!({ "messages": message, "tools": tool }), Wire::Chat),
        (generate, json!({ "contents": content, "tools": functions }), Wire::Gemini),
    ];
    let mut client = Client::new(&server);
    for ((path, body, _), said) in turns.iter().zip(said) {
        let answer = client.post(path, body);
        assert!(answer.status == 200 && answer.body.contains(said), "{path}: {}", answer.body);
    }
    let requests = server.requests();
    assert!(requests.iter().all(|request| request.kind == Kind::Conversation));
    assert!(requests.iter().all(|request| request.occurrences("marker") == 2));
    let wires: Vec<_> = requests.iter().map(|request| request.wire).collect();
    assert_eq!(wires, turns.map(|(_, _, wire)| Some(wire)));
}

#[test]
fn models_are_listed_beside_the_script() {
    let server = server([Reply::text("never said")]);
    let mut client = Client::new(&server);
    for path in ["/v1/models", "/v1beta/models"] {
        client.send(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes());
        let answer = client.answer();
        assert!(answer.status == 200 && answer.body.contains("scripted-model"), "{}", answer.body);
    }
    assert!(server.requests().iter().all(|request| request.kind == Kind::Side));
    assert_eq!(server.replies_left(), 1);
}

#[test]
fn requests_are_kept_without_keys_and_can_be_searched() {
    let server = server([]);
    Client::new(&server).post("/v1/messages?beta=true", &turn("marker, and marker again"));
    let requests = server.requests();
    let [request] = requests.as_slice() else { panic!("one request: {requests:?}") };
    assert_eq!((&*request.method, &*request.path), ("POST", "/v1/messages?beta=true"));
    let names: Vec<_> = request.headers.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["host", "content-type", "content-length"]);
    assert!(!format!("{request:?}").contains("secret"));
    assert_eq!(request.occurrences("marker"), 2);
    assert_eq!(request.occurrences("absent"), 0);
    assert_eq!(request.occurrences(""), 0);
    assert_eq!(request.texts()[0].role, "user");
}

#[test]
fn other_addresses_and_methods_are_not_found() {
    let server = server([Reply::text("never said")]);
    let mut client = Client::new(&server);
    client.send(b"HEAD /api/hello HTTP/1.1\r\n\r\n");
    // A response to `HEAD` has no body, so the next one must follow its head at once.
    client.send(b"GET /v1/messages HTTP/1.1\r\n\r\n");
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        client.0.read_line(&mut head).expect("a line of the head");
    }
    assert!(head.starts_with("HTTP/1.1 404 Not Found\r\n"), "{head}");
    assert_eq!(client.answer().json()["error"]["type"], "not_found_error");
    assert_eq!(client.post("/v1/elsewhere", &turn("hello")).status, 404);
    assert_eq!(server.replies_left(), 1);
    assert!(server.requests().iter().all(|request| request.kind == Kind::Side));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_body_in_chunks() {
    let server = server([Reply::text("good day")]);
    let mut client = Client::new(&server);
    client.send(b"POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    for piece in turn("marker").to_string().as_bytes().chunks(10) {
        client.send(format!("{:x}\r\n", piece.len()).as_bytes());
        client.send(piece);
        client.send(b"\r\n");
    }
    client.send(b"0\r\n\r\n");
    assert!(client.answer().body.contains("good day"));
    assert_eq!(server.requests()[0].occurrences("marker"), 1);
}

#[test]
fn leave_to_send_a_body_is_given() {
    let server = server([Reply::text("good day")]);
    let mut client = Client::new(&server);
    let body = turn("hello").to_string();
    let head = "POST /v1/messages HTTP/1.1\r\nExpect: 100-continue\r\n";
    client.send(format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes());
    assert_eq!(client.answer().status, 100);
    client.send(body.as_bytes());
    assert_eq!(client.answer().status, 200);
}

#[test]
fn what_is_refused_is_refused_politely_and_the_server_lives_on() {
    let server = server([Reply::text("good day")]);
    let too_long =
        format!("POST /v1/messages HTTP/1.1\r\nContent-Length: {}\r\n\r\n", BODY_CAP + 1);
    let table = [
        ("garbage\r\n\r\n".to_owned(), 400),
        ("\u{16}\u{3}\u{1} not TLS either\n".to_owned(), 400),
        (too_long.clone(), 413),
        (too_long + &"x".repeat(BODY_CAP + 1), 413),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1024 * 1024)), 431),
    ];
    for (bytes, status) in table {
        let mut client = Client::new(&server);
        client.send(bytes.as_bytes());
        assert_eq!(client.answer().status, status);
        assert!(client.is_closed());
    }
    // Of what could be understood, the head is kept.
    let kept: Vec<_> = server.requests().into_iter().map(|request| request.method).collect();
    assert_eq!(kept, ["POST", "POST"]);
    let mut client = Client::new(&server);
    client.send(b"POST /v1/messages HTTP/1.1\r\nContent-Length: 5\r\n\r\n{\"a\":");
    let answer = client.answer();
    assert_eq!(
        (answer.status, answer.json()["error"]["type"].clone()),
        (400, json!("invalid_request_error"))
    );
    assert!(client.post("/v1/messages", &turn("hello")).body.contains("good day"));
}

#[test]
fn a_connection_that_is_not_to_be_kept_is_closed() {
    let server = server([]);
    let mut client = Client::new(&server);
    client.send(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert_eq!(client.answer().status, 404);
    assert!(client.is_closed());
}

#[test]
fn slow_clients_hold_up_nobody_and_neither_does_the_end() {
    let server = server([Reply::text("good day")]);
    let mut slow = Client::new(&server);
    slow.send(b"POST /v1/messages HTTP/1.1\r\nContent-Length: 10\r\n\r\n{");
    let mut silent = Client::new(&server);
    assert!(Client::new(&server).post("/v1/messages", &turn("hello")).body.contains("good day"));
    drop(server);
    assert!(slow.is_closed());
    assert!(silent.is_closed());
}

#[test]
fn clients_come_and_go_but_not_too_many_at_once() {
    let server = server([]);
    let get = |client: &mut Client| {
        client.send(b"GET / HTTP/1.1\r\n\r\n");
        client.answer().status
    };
    // The second wave is smaller, for the places of the first are free only soon after it has left.
    for wave in [CONNECTIONS, CONNECTIONS / 2] {
        let mut clients: Vec<_> = (0..wave).map(|_| Client::new(&server)).collect();
        assert!(clients.iter_mut().all(|client| get(client) == 404));
        if wave == CONNECTIONS {
            assert!(Client::new(&server).is_closed());
        }
        for mut client in clients {
            client.send(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
            assert_eq!(client.answer().status, 404);
            assert!(client.is_closed());
        }
    }
}
