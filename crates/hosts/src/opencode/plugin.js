// Written by pacenote, which overwrites and deletes it: changes made here are lost.
// Tells pacenote what happens in OpenCode, and OpenCode's models what pacenote answers.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

const PROGRAM = "@PROGRAM@";
const PATIENCE = 3000; // Milliseconds. An answer takes some tens; without one, all goes on without notes.
const LONGEST = 1 << 20; // Characters of an answer.
const WORDS = 100_000; // Characters of what a model said at the end of its turn.
const OPENING = 200; // Characters of a system prompt, enough to know the client's own agents by.

// Runs `pacenote hook opencode EVENT` and returns the object that it prints, {} if anything is wrong.
const call = (event, payload) =>
  new Promise((resolve) => {
    let answer = "";
    const end = () => {
      try {
        resolve(JSON.parse(answer) ?? {});
      } catch {
        resolve({});
      }
    };
    try {
      const options = { stdio: ["pipe", "pipe", "ignore"], timeout: PATIENCE, killSignal: "SIGKILL" };
      const child = spawn(PROGRAM, ["hook", "opencode", event], options);
      child.on("error", () => resolve({}));
      child.on("close", end);
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (text) => {
        if (answer.length < LONGEST) answer += text;
      });
      child.stdin.end(JSON.stringify(payload));
      setTimeout(() => resolve({}), PATIENCE + 500).unref?.();
    } catch {
      resolve({});
    }
  });

// The only thing that is ever thrown: OpenCode refuses the tool for it, and tells the model why.
class Denial extends Error {}

// Makes a hook that does nothing where it fails.
const careful = (hook) => async (input, output) => {
  try {
    await hook(input ?? {}, output ?? {});
  } catch (error) {
    if (error instanceof Denial) throw error;
  }
};

export const Pacenote = async ({ directory }) => {
  const parents = new Map(); // Sessions of subagents, and those that asked for them.
  const agents = new Map(); // The agent that each session last spoke to.
  const begun = new Set(); // Sessions of which a beginning or a prompt was told.
  const said = new Map(); // What the model of each session said last, in this turn.
  const summaries = new Set(); // Messages in which the client sums up a context.
  const turns = new Map(); // What is under way, by session: one event is told after the other.

  const tell = (event, id, details) => {
    const session = parents.get(id) ?? id;
    const child = parents.has(id) ? id : undefined;
    const payload = { session, child, directory, agent: agents.get(id), ...details };
    const turn = (turns.get(session) ?? Promise.resolve()).then(() => call(event, payload));
    turns.set(session, turn);
    return turn;
  };

  const happened = {
    "session.created": ({ info }) => {
      if (info.parentID) return void parents.set(info.id, parents.get(info.parentID) ?? info.parentID);
      begun.add(info.id);
      return tell("session-start", info.id, { source: "startup" });
    },
    "session.compacted": ({ sessionID }) => {
      if (!parents.has(sessionID)) return tell("session-start", sessionID, { source: "compact" });
    },
    "message.updated": ({ info }) => {
      if (info.role === "assistant" && info.summary) summaries.add(info.id);
    },
    "message.part.updated": ({ part: { type, time, synthetic, messageID, sessionID, text } }) => {
      const isSaid = type === "text" && time?.end && !synthetic && !summaries.has(messageID);
      if (isSaid) said.set(sessionID, text.slice(0, WORDS));
    },
    "session.idle": ({ sessionID }) => {
      const event = parents.has(sessionID) ? "subagent-stop" : "stop";
      return tell(event, sessionID, { message: said.get(sessionID) });
    },
    "session.deleted": ({ info }) => {
      begun.delete(info.id);
      if (!parents.has(info.id)) return tell("session-end", info.id, { reason: "deleted" });
    },
  };

  const hooks = {
    event: async ({ event }) => {
      await happened[event.type]?.(event.properties);
    },

    "chat.message": async ({ sessionID }, { message, parts }) => {
      agents.set(sessionID, message.agent);
      const words = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text);
      if (!words.length) return;
      begun.add(sessionID);
      said.delete(sessionID);
      const event = parents.has(sessionID) ? "subagent-start" : "prompt";
      const details = { prompt: words.join("\n"), message_id: message.id };
      const { context: text } = await tell(event, sessionID, details);
      if (!text) return;
      // Parts are sorted by their ids, and ours belongs behind what the person wrote.
      const id = `prt_zzz${randomUUID().replaceAll("-", "")}`;
      parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    },

    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (!sessionID || parents.has(sessionID)) return;
      const { context } = await tell("request", sessionID, { opening: system[0]?.slice(0, OPENING) });
      if (context) system.push(context);
    },

    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      const { decision, reason } = await tell("before-tool", sessionID, { tool, args });
      if (decision === "deny") throw new Denial(reason);
    },

    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      const failed = Boolean(output.metadata?.exit);
      const { context } = await tell("after-tool", sessionID, { tool, args, failed });
      if (context && typeof output.output === "string") output.output += `\n\n${context}`;
    },

    // What the client's shell runs can say which session it is of.
    "shell.env": ({ sessionID }, { env }) => {
      if (sessionID) env.PACENOTE_OPENCODE_SESSION = parents.get(sessionID) ?? sessionID;
    },

    "experimental.session.compacting": async ({ sessionID }) => {
      if (!parents.has(sessionID)) await tell("pre-compact", sessionID);
    },

    dispose: async () => {
      const ends = [...begun].filter((id) => !parents.has(id));
      await Promise.all(ends.map((id) => tell("session-end", id, { reason: "exit" })));
    },
  };
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, careful(hook)]));
};
