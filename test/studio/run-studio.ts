import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SessionDetail, SessionShown } from '../../src/studio/protocol/session-shown.ts';
import type { SessionDoor } from '../../src/studio/protocol/acts.ts';
import type { StudioEvent } from '../../src/studio/protocol.ts';
import { until } from '../livekit/until.ts';

const main = join(import.meta.dirname, '../../dist/cli/main.js');
const livekit = join(import.meta.dirname, '../../dist/livekit.js');

/** A studio in a separate process, started like a user starts it. */
export interface RunningStudio {
  readonly pid: number;
  readonly folder: string;
  readonly url: string;
  readonly token: string;
  readonly cookie: string;
  /** Returns its output. */
  printed(): string;
  /** Sends a request unchanged, foreign headers included. Sends the cookie by default. */
  ask(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Returns the body of an answer with status 200. */
  get<Body>(path: string): Promise<Body>;
  post<Body>(path: string, body?: object): Promise<Body>;
  /** Begins a session, and waits for its first words. */
  begin(): Promise<string>;
  /** Waits until the agent is silent. */
  quiet(sessionId: string): Promise<void>;
  /** Waits until a session satisfies the condition. */
  session(is: (shown: SessionShown) => boolean): Promise<SessionShown>;
  /** Types words and returns the answer. */
  say(sessionId: string, text: string): Promise<string>;
  detail(sessionId: string): Promise<SessionDetail>;
  /** Follows the stream until the end of the test, from its beginning or after an event. */
  follow(after?: number): { readonly events: readonly (StudioEvent & { readonly seq: number })[] };
  write(file: string, text: string): void;
  signal(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: string | Buffer;
  readonly isStranger?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Registers work for the end of a studio's use: of a test, or of all tests of a file. */
export type OnOver = (work: () => Promise<void> | void) => void;

/** Creates a project folder with these files. `LIVEKIT` in them becomes the built module that creates tools. */
export function projectOf(files: Readonly<Record<string, string>>, onOver: OnOver = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-studio-test-'));
  onOver(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text.replaceAll('LIVEKIT', livekit));
  return folder;
}

/** Starts a studio by its command and waits until it has printed its address. */
export async function startStudio(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  onOver: OnOver = onTestFinished,
): Promise<RunningStudio> {
  const { OPENAI_API_KEY: _key, LIVEKIT_URL: _url, ...own } = process.env;
  const state = join(folder, '.state');
  const child: ChildProcess = spawn(process.execPath, [main, ...args, '--no-open'], {
    cwd: folder,
    env: { ...own, XDG_STATE_HOME: state, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  let code: number | null = null;
  const gone = new Promise<number | null>((resolve) =>
    child.once('exit', (given) => {
      code = given ?? -1;
      resolve(given);
    }),
  );
  const signal = async (name: NodeJS.Signals): Promise<number | null> => {
    child.kill(name);
    return await gone;
  };
  onOver(async () => {
    if (code === null) await signal('SIGKILL');
  });
  const address = (): RegExpExecArray | null => /(http:\/\/127\.0\.0\.1:(\d+))\/\?token=([\w-]+)/.exec(printed);
  await until(
    () => address() !== null || code !== null,
    () => `the address of the studio, not: ${printed}`,
  );
  const [, url = '', port = '', token = ''] = address() ?? [];
  if (url === '') throw new Error(`The studio has not started: ${printed}`);
  const cookie = `roomflow-studio-${port}=${token}`;
  const ask: RunningStudio['ask'] = (method, path, { headers = {}, json, raw, isStranger = false } = {}) =>
    new Promise((resolve, reject) => {
      const sent = {
        ...(isStranger ? {} : { cookie }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const sending = request(`${url}${path}`, { method, headers: sent, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sending.on('error', reject);
      sending.end(json === undefined ? raw : JSON.stringify(json));
    });
  const bodyOf = async <Body>(asked: Promise<Answer>): Promise<Body> => {
    const { status, text } = await asked;
    if (status !== 200) throw new Error(`${status} ${text}`);
    return JSON.parse(text) as Body; // The protocol defines this shape.
  };
  const studio: RunningStudio = {
    pid: child.pid ?? 0,
    ...{ folder, url, token, cookie, ask, signal },
    printed: () => printed,
    get: (path) => bodyOf(ask('GET', path)),
    post: (path, body = {}) => bodyOf(ask('POST', path, { json: body })),
    async begin() {
      const { sessionId } = await studio.post<SessionDoor>('/api/sessions');
      await studio.quiet(sessionId);
      return sessionId;
    },
    async quiet(sessionId) {
      for (const before = Date.now(); Date.now() - before < 120_000;) {
        const { lines } = await studio.detail(sessionId);
        if (lines.length > 0 && lines.every(({ state, who }) => state !== 'open' || who === 'wait')) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`The agent does not come to an end: ${JSON.stringify((await studio.detail(sessionId)).lines)}`);
    },
    async say(sessionId, text) {
      const { outcome } = await studio.post<{ outcome: string }>(`/api/sessions/${sessionId}/words`, { text });
      return outcome;
    },
    async session(is) {
      let all: readonly SessionShown[] = [];
      for (const before = Date.now(); Date.now() - before < 30_000;) {
        all = await studio.get<SessionShown[]>('/api/sessions');
        const shown = all.find(is);
        if (shown !== undefined) return shown;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`No session is as it should be: ${JSON.stringify(all)} ${printed}`);
    },
    detail: (sessionId) => studio.get(`/api/sessions/${sessionId}`),
    follow(after = 0) {
      const events: (StudioEvent & { readonly seq: number })[] = [];
      const sending = request(`${url}/api/events?after=${after}`, { headers: { cookie }, agent: false }, (response) => {
        let rest = '';
        response.setEncoding('utf8');
        response.on('error', () => undefined);
        response.on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const fields = new Map(
              block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
            );
            const [type, data] = [fields.get('event'), fields.get('data')];
            if (type === undefined || data === undefined) continue;
            events.push({ type, data: JSON.parse(data) as unknown, seq: Number(fields.get('id')) } as StudioEvent & {
              seq: number;
            });
          }
        });
      });
      sending.on('error', () => undefined);
      sending.end();
      onTestFinished(() => void sending.destroy());
      return { events };
    },
    write: (file, text) => writeFileSync(join(folder, file), text.replaceAll('LIVEKIT', livekit)),
  };
  return studio;
}

/** Returns the agent's lines. */
export function saidIn({ lines }: Pick<SessionDetail, 'lines'>): string[] {
  return lines.flatMap(({ who, heard }) => (who === 'agent' && heard !== null && heard !== '' ? [heard] : []));
}
