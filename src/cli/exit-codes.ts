/** The meaning of each exit code of one command. */
export type ExitCodes = Readonly<Record<string, string>>;

const wrongInput =
  'The options, the configuration or a file are wrong, or the session does not exist. Nothing was started.';
const talked = { 0: 'The conversation or the input has ended.' } as const;
const looked = { 0: 'Printed.', 2: wrongInput } as const;
const done = { 0: 'Done, or printed.', 2: wrongInput } as const;
const decided = {
  0: 'The decision was recorded.',
  1: 'Nothing was decided: the answer to the question was not yes.',
  2: 'The options or the configuration are wrong, the wait does not exist or is over, or its facts have changed.',
} as const;
const broken = 'It stopped: something that it needs is missing, or a second signal arrived.';

/** The exit codes of each command. */
export const exitCodes: Readonly<Record<string, ExitCodes>> = {
  start: { ...talked, 1: 'A script failed, or the conversation could not be stored.', 2: wrongInput },
  chat: { ...talked, 1: 'A script failed, or the conversation could not be stored.', 2: wrongInput },
  studio: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  dev: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  resume: { ...talked, 1: 'The conversation could not be stored.', 2: wrongInput },
  run: {
    0: 'The run is complete.',
    1: 'The run failed or could not be stored.',
    2: wrongInput,
    130: 'Interrupted by Ctrl-C.',
    143: 'Interrupted by SIGTERM.',
  },
  check: { 0: 'No errors.', 2: 'There are errors or, with --strict, warnings.' },
  init: { 0: 'The files were written.', 2: 'The name is not valid or is taken. Nothing was written.' },
  test: {
    0: 'Every scenario that ran passed.',
    1: 'An expectation of a scenario failed.',
    2: 'The options, a test file, a flow or a configuration are wrong. Nothing was run.',
    3: 'A store, a model or a key that a scenario needs is not available. Nothing else failed.',
    4: 'The coverage of a flow is below its minimum. Every scenario passed.',
    130: '--watch was stopped by Ctrl-C.',
    143: '--watch was stopped by SIGTERM.',
  },
  graph: looked,
  import: {
    0: 'Written or printed. The report lists changes and parts without a counterpart.',
    1: 'Written or printed, but the flow does not pass a check.',
    2: 'The options or the file are wrong, or a file already exists. Nothing was written.',
  },
  explain: { 0: 'Printed.', 2: 'There is no such code.' },
  schema: looked,
  lsp: { 0: 'The editor stopped it.', 2: wrongInput },
  mcp: { 0: 'The client closed the input.', 2: wrongInput },
  sessions: looked,
  show: looked,
  export: looked,
  replay: {
    0: 'The replay ends in the same state.',
    1: 'The replay ends in another state, or the changed flow takes another path.',
    2: wrongInput,
  },
  forget: { 0: 'Deleted.', 1: 'Not deleted: the answer to the question was not yes.', 2: wrongInput },
  doctor: { 0: 'Nothing is missing.', 1: 'Something is missing.', 2: wrongInput },
  worker: { 0: 'It was asked to stop, and its calls were handed over.', 1: broken, 2: wrongInput },
  supervise: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  schedule: done,
  campaign: done,
  serve: { 0: 'It was asked to stop.', 1: broken, 2: wrongInput },
  waits: looked,
  approve: decided,
  reject: decided,
  inbox: done,
  audit: {
    0: 'Printed. With --verify: each record follows the record before it.',
    1: 'With --verify: records are missing or changed, or a session holds another decision than the recorded one.',
    2: wrongInput,
  },
  completion: { 0: 'Printed.', 2: 'There is no completion for this shell.' },
  'setup-speech': { 0: 'The weights are available.', 1: 'They could not be downloaded.', 2: wrongInput },
};
