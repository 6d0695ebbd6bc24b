import process from 'node:process';
import { afterAll, expect } from 'vitest';
import { levelOfLog } from './livekit-log.ts';

/** Set once: by the product before the first session, and by the image library that LiveKit loads. */
const setForGood = ['LIVEKIT_TELEMETRY_ALLOW_PII', 'VIPSHOME'];
const before = look();

// For files that share a process: a variable or a clock that a file leaves changed would break later files in some orders
// only. So it fails the file that leaves it. Only names are reported, because values may be secret.
afterAll(() => {
  const after = look();
  const names = new Set([...before.keys(), ...after.keys()]);
  expect([...names].filter((name) => !Object.is(before.get(name), after.get(name)))).toEqual([]);
});

function look(): Map<string, unknown> {
  const { env, argv, exitCode } = process;
  const seen = new Map<string, unknown>([
    ['folder', process.cwd()],
    ['arguments', argv.join(' ')],
    ['exit code', exitCode],
    ['time zone', new Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['standard input', Object.getOwnPropertyDescriptor(process, 'stdin')?.value],
    ['level of LiveKit’s log', levelOfLog()],
  ]);
  for (const [name, value] of Object.entries(env)) if (!setForGood.includes(name)) seen.set(`variable ${name}`, value);
  const global = { Date, Math, Intl, JSON, AbortController, AbortSignal, setTimeout, setInterval, setImmediate };
  for (const [name, value] of Object.entries(global)) {
    seen.set(name, value);
    for (const [part, own] of Object.entries(Object.getOwnPropertyDescriptors(value)))
      seen.set(`${name}.${part}`, own.value);
  }
  return seen;
}
