// Firefox, driven through WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): as much of it as a smoke test needs. Node 20 has WebSocket
// behind --experimental-websocket, later ones have it anyway.

import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { until } from "../browser/until.mjs";

export function findFirefox() {
  if (process.env.FIREFOX) return process.env.FIREFOX;
  for (const name of ["firefox-esr", "firefox"]) {
    try {
      return execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // The next name.
    }
  }
  throw new Error("no Firefox: install one, or name it in FIREFOX");
}

/** Where the browser listens, as it says itself. */
async function listening(firefox) {
  for await (const line of createInterface({ input: firefox.stderr })) {
    const address = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line)?.[1];
    if (!address) continue;
    // The rest is read, so that the browser never waits for it.
    firefox.stderr.resume();
    return address;
  }
  throw new Error("Firefox ended before it listened");
}

/** Commands to a browser and its answers, over one connection. */
async function connect(address, onEvent) {
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`no connection to ${address}`));
  });
  const waiting = new Map();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "event") return onEvent(message);
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "success") resolve(message.result);
    else reject(new Error(`${message.error}: ${message.message}`));
  };
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    close: () => socket.close(),
  };
}

/** A window of a Firefox of its own; `errors` has what went wrong in its pages. */
export async function launchFirefox({ width = 1280, height = 800 } = {}) {
  const profile = await mkdtemp(join(tmpdir(), "firefox-"));
  const firefox = spawn(findFirefox(), ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = [];
  /** A page that is left ends its requests, and may say so. */
  let leaving = false;
  const { send, close } = await connect(await listening(firefox), ({ method, params }) => {
    if (method === "log.entryAdded" && params.level === "error" && !leaving) errors.push(params.text);
  });
  const { capabilities } = await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await send("browsingContext.getTree", {});
  const { context } = contexts[0];
  await send("browsingContext.setViewport", { context, viewport: { width, height } });

  /** What an expression gives in the page; a promise is waited for. */
  const evaluate = async (expression) => {
    const given = await send("script.evaluate", {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context },
      awaitPromise: true,
    });
    if (given.type === "exception") throw new Error(`${expression}: ${given.exceptionDetails.text}`);
    return JSON.parse(given.result.value);
  };
  const holds = (expression) => until(() => evaluate(expression), expression);
  return {
    version: `${capabilities.browserName} ${capabilities.browserVersion}`,
    errors,
    evaluate,
    /** Waits until an expression holds in the page. */
    holds,
    /** Opens an address anew, also where only what follows `#` differs. */
    async open(url) {
      leaving = true;
      await send("browsingContext.navigate", { context, url: "about:blank", wait: "complete" });
      leaving = false;
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    /** Presses the mouse on what an expression gives, once it is in view and nothing covers it. */
    async click(element) {
      let at = null;
      await until(async () => {
        at = await evaluate(`(() => {
          const found = ${element};
          if (!found?.checkVisibility()) return null;
          found.scrollIntoView({ block: "nearest" });
          const { left, top, width, height } = found.getBoundingClientRect();
          const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
          return found.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
        })()`);
        return at !== null;
      }, `${element} can be pressed`);
      const actions = [
        { type: "pointerMove", ...at },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
    },
    /** Presses a key, by its code point of WebDriver. */
    async press(value) {
      const actions = ["keyDown", "keyUp"].map((type) => ({ type, value }));
      await send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
    },
    async close() {
      const ended = new Promise((resolve) => firefox.once("exit", resolve));
      await send("browser.close", {}).catch(() => firefox.kill());
      close();
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}
