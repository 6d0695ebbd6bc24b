import { join } from 'node:path';
import { env } from 'node:process';
import { defineConfig } from 'vitest/config';
import { ByNeed } from './by-need.ts';

// .ci/run names a file and reads the counts from it.
const countsFile = env['ROOMFLOW_TEST_COUNTS'];
const counts: [string, Record<string, unknown>][] =
  countsFile === undefined ? [] : [['json', { outputFile: countsFile }]];

// Tests of `npm run test:unit`: the core, the turn and LiveKit sessions in text.
const unit = [
  'test/{expression,flow,hub,kernel,load,nodes,reading,slots,turn}/**/*.test.ts',
  'test/graph/**/!(draw-forms).test.ts',
  'test/importers/!(check-and-chat|play-imported|tool-stubs).test.ts',
  'test/livekit/!(memory|telemetry).test.ts',
  'test/offline/brain/!(conversations).test.ts',
  'test/livekit/guards/!(trace-content|log-content).test.ts',
  'test/livekit/model/*.test.ts',
  'test/livekit/realtime/!(realtime).test.ts',
  'test/livekit/speech/!(voice-between|voice-durable).test.ts',
  'test/tasks/!(durable-crash|laws).test.ts',
  'test/{channels,languages,runner}/*.test.ts',
  'test/flows/!(flowtests|noise).test.ts',
  'test/testing/!(flowtest-stores).test.ts',
  'test/providers/!(faults).test.ts',
  'test/worker/!(command).test.ts',
  'test/durable/{events,mask-personal,memory-store,retention}.test.ts',
];

// Laws on thousands of inputs (`tries.ts`), files of megabytes, and tests that `npm test` takes in part.
const laws = [
  'test/bench/bench.test.ts',
  'test/expression/order.test.ts',
  'test/docs/snippets.test.ts',
  'test/flows/{flowtests,noise}.test.ts',
  'test/graph/checks/any-document.test.ts',
  'test/importers/any-foreign.test.ts',
  'test/kernel/laws.test.ts',
  'test/reading/{any-words,every-number,english/totality}.test.ts',
  'test/offline/speech/{stt,tts}.test.ts',
  'test/load/{all-at-once,bad-input,diagnostics,include,objects,positions,printed-again}.test.ts',
  'test/offline/brain/{any-conversation,choose-calls,played}.test.ts',
  'test/packages/timekeepers.test.ts',
  'test/people/schedules.test.ts',
  'test/testing/flowtest-stores.test.ts',
];

// Takes long, and seldom finds what the other tests do not: `npm run laws` runs it, `npm test` does not.
const broad = ['test/livekit/memory.test.ts', 'test/people/campaign-kills.test.ts'];

/** Changes its process, or minds what others have changed. */
const alone = [
  'test/livekit/telemetry.test.ts',
  'test/livekit/guards/{trace-content,log-content,reply-signal}.test.ts',
  'test/livekit/traces/{flush-traces,turn-spans}.test.ts',
];

// Calls in `npm test`: one that is spoken from the greeting to the end, one that outlives its processes, and hostile participants.
const calls = 'test/rooms/{demo,hostile,supervise}.test.ts';

// One or two calls at a time in each, so that two of these files may run at once.
const fewCalls = 'test/rooms/{approval,dispatch,examples,faults,play-in-room,studio-voice}.test.ts';

const twoCalls = { sequence: { groupOrder: 1 }, maxWorkers: 2, maxConcurrency: 2 };

// Pages that a browser uses for a minute, after the calls.
const pages = 'test/studio/in-browser.test.ts';

/** For files that share processes: each resets the tools of the files before it and restores its process. */
const sharing = ['own-tools.ts', 'leaves-nothing.ts'].map((file) => join(import.meta.dirname, file));

/** `--mode unit` and `--mode laws` run these alone. */
const chosen: Readonly<Record<string, { include: string[]; exclude: string[] }>> = {
  unit: { include: unit, exclude: [...laws, ...alone] },
  laws: { include: laws, exclude: [] },
};

export default defineConfig(({ mode }) => ({
  test: {
    root: join(import.meta.dirname, '..'),
    reporters: ['default', join(import.meta.dirname, 'skipped-reporter.ts'), ...counts],
    // Reuses compiled files of earlier runs, found by a hash of their text.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    // Two more than there are cores: in a third of all seconds a test waits for a connection, a voice or a process, and more often
    // beside the rooms, whose calls go first.
    maxWorkers: mode === 'unit' ? 5 : 4,
    // Most objects of a test are gone before they would move to the old generation: saves a twelfth of the CPU time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: ByNeed },
    // Only a hanging test takes this long, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    setupFiles: [join(import.meta.dirname, 'fixed-seed.ts')],
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'broad', include: broad } },
      // One project, because a process is reused only within a project, and a start takes as long as many a file.
      {
        extends: true,
        test: {
          name: 'shared',
          ...(chosen[mode] ?? {
            include: ['test/**/*.test.ts'],
            exclude: ['test/rooms/**', '**/node_modules/**', ...alone, ...broad, pages],
          }),
          isolate: false,
          setupFiles: sharing,
        },
      },
      // Calls in real time, which other tests would disturb: `rooms/all-tests.mjs` runs them ahead of those. `calls` are in
      // `npm test`; `few calls` and `rooms`, all others, are `npm run test:rooms`. If one run has several, they come last.
      { extends: true, test: { name: 'calls', include: [calls], ...twoCalls } },
      { extends: true, test: { name: 'few calls', include: [fewCalls], ...twoCalls } },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/rooms/*.test.ts', pages],
          exclude: [calls, fewCalls],
          sequence: { groupOrder: 2 },
          // One file after the other: on an overloaded machine, LiveKit's native part loses the events of whole rooms.
          maxWorkers: 1,
          // Per file: every call begins with a process that takes seconds to start.
          maxConcurrency: 3,
        },
      },
    ],
  },
}));
