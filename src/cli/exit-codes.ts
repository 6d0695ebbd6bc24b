/** Of a command: what each of its exit codes says. */
export type ExitCodes = Readonly<Record<string, string>>;

const wrongInput =
  'The options, the configuration or a file are wrong, or the session is not there: nothing was begun.';
const talked = { 0: 'The conversation has ended, or the input has.' } as const;
const looked = { 0: 'It was printed.', 2: wrongInput } as const;
const done = { 0: 'It was done, or printed.', 2: wrongInput } as const;
const decided = {
  0: 'The decision was recorded.',
  1: 'Nothing was decided: the question was not answered by yes.',
  2: 'The options or the configuration are wrong, the wait is not there or over, or its facts have changed.',
} as const;
const broken = 'It stopped: what it needs is missing, or a second signal came.';

/** The exit codes of each command. */
export const exitCodes: Readonly<Record<string, ExitCodes>> = {
  start: { ...talked, 1: 'A script failed, or the conversation could not be kept.', 2: wrongInput },
  chat: { ...talked, 1: 'A script failed, or the conversation could not be kept.', 2: wrongInput },
  studio: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  dev: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  resume: { ...talked, 1: 'The conversation could not be kept.', 2: wrongInput },
  run: {
    0: 'The run is complete.',
    1: 'The run has failed, or could not be kept.',
    2: wrongInput,
    130: 'It was broken off by Ctrl-C.',
    143: 'It was broken off by SIGTERM.',
  },
  check: { 0: 'There is no error.', 2: 'There are errors; with --strict also: there are warnings.' },
  init: { 0: 'The files were written.', 2: 'The name is wrong or taken: nothing was written.' },
  test: {
    0: 'Every scenario that was run holds.',
    1: 'Something that a scenario expects does not hold.',
    2: 'The options, a file of tests, a flow or a configuration are wrong: nothing was run.',
    3: 'A store, a model or a key that a scenario needs could not be had; nothing else failed.',
    4: 'Less of a flow is covered than is asked for; every scenario holds.',
    130: '--watch was ended by Ctrl-C.',
    143: '--watch was ended by SIGTERM.',
  },
  graph: looked,
  import: {
    0: 'It was written or printed; the report tells what was changed and what has no counterpart.',
    1: 'It was written or printed, and does not pass a check.',
    2: 'The options or the file are wrong, or a file is there already: nothing was written.',
  },
  schema: looked,
  lsp: { 0: 'The editor has ended it.', 2: wrongInput },
  sessions: looked,
  show: looked,
  export: looked,
  replay: {
    0: 'It comes to the same.',
    1: 'It comes to another state, or the changed flow parts ways.',
    2: wrongInput,
  },
  forget: { 0: 'It was deleted.', 1: 'It was not deleted: the question was not answered by yes.', 2: wrongInput },
  doctor: { 0: 'Nothing is missing.', 1: 'Something is missing.', 2: wrongInput },
  worker: { 0: 'It was asked to stop, and its calls are handed on.', 1: broken, 2: wrongInput },
  supervise: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  schedule: done,
  campaign: done,
  serve: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  waits: looked,
  approve: decided,
  reject: decided,
  inbox: done,
  audit: {
    0: 'It was printed; with --verify: each record follows the one before it.',
    1: 'With --verify: records are missing or were changed, or a session was told something else than was decided.',
    2: wrongInput,
  },
  'setup-speech': { 0: 'The weights are there.', 1: 'They could not be fetched.', 2: wrongInput },
};
