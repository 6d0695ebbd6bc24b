import { eventTypes } from '../../src/model/events/event-types.ts';
import { type Declared, declarationsOf, type Member } from './declarations.ts';

const sources = [
  ...['events/event', 'events/task-event', 'events/envelope', 'events/turn-trace', 'signals/signal'],
  ...['inbox', 'effect', 'provenance', 'json'],
];

/** Renders `docs/reference/events.md` from the types of the events and their docstrings. */
export function eventsPage(): string {
  const declared = new Map(
    sources.flatMap((name) => declarationsOf(`src/model/${name}.ts`)).map((one) => [one.name, one]),
  );
  const of = (name: string): Declared => {
    const found = declared.get(name);
    if (found === undefined) throw new Error(`The events page wants ${name}, which src/model does not declare.`);
    return found;
  };
  const groups = [of('FlowEvents'), of('TurnEvents'), of('TaskEvents')] as const;
  const told = groups.flatMap(({ members }) => members);
  const missing = [...eventTypes].filter((type) => !told.some(({ name }) => name === type));
  const silent = told.filter(({ says }) => says === '').map(({ name }) => name);
  if (missing.length + silent.length > 0)
    throw new Error(`Events without a place or a sentence: ${[...missing, ...silent].join(', ')}.`);
  const named = typesIn(told.map(({ type }) => type).join('\n'), declared);
  return [
    head,
    '## Every event\n\n| key | type | what |\n| --- | --- | --- |\n' +
      ['Envelope', 'Correlation', 'EntryCorrelation'].flatMap((name) => of(name).members.map(row)).join('\n'),
    guarantees,
    ...groups.map(section),
    streaming,
    channels,
    `## Types of the payloads\n\n${[...named].map((name) => `\`\`\`ts\n${of(name).text}\n\`\`\``).join('\n\n')}\n`,
  ].join('\n\n');
}

const meanings: Readonly<Record<string, string>> = {
  id: 'unique',
  seq: 'grows by one within a session, from 1',
  time: 'epoch milliseconds',
  type: 'the name of the event',
  data: 'the payload, as below',
  sessionId: 'the session',
  requestId: "the caller's turn, or the outside signal, that led to it",
  turnId: 'the turn of the session; absent before the first and in a task flow',
  flowId: 'the flow that has the conversation',
  flowRunId: 'the run of a task flow',
  nodeId: 'the node, or the task with the names of the flows around it',
  visit: 'which visit of a node, counted over the session',
  runId: 'one run of an agent',
  escalationId: 'the question to a person',
  proxyId: 'the wait for words of another',
  scheduleId: 'the schedule',
  campaignId: 'the campaign',
  segmentId: 'its segment of people',
  recipientUserExternalId: 'the person that a campaign writes to',
  triggerType: 'what began the session',
  scheduledFor: 'when it was due, in epoch milliseconds',
  runAttempt: 'which attempt of a scheduled run',
  callAttempt: 'the number of a repeated call',
  messageLeft: 'whether an earlier call has left a message',
};

function row({ name, type, isOptional }: Member): string {
  const meaning = meanings[name];
  if (meaning === undefined) throw new Error(`The envelope has a key that the events page does not explain: ${name}.`);
  return `| \`${name}${isOptional ? '?' : ''}\` | \`${type.replaceAll('|', String.raw`\|`)}\` | ${meaning} |`;
}

const titles: Readonly<Record<string, string>> = {
  FlowEvents: 'Events of a flow',
  TurnEvents: 'Events of a turn',
  TaskEvents: 'Events of runs, tasks, agents and channels',
};

function section({ name, members }: Declared): string {
  const entries = members.map(({ name: event, says, type }) => `### ${event}\n\n${says}\n\n\`\`\`ts\n${type}\n\`\`\``);
  return [`## ${titles[name]}`, ...entries].join('\n\n');
}

/** Returns the declared types that a text names, and the types that these name. */
function typesIn(text: string, declared: ReadonlyMap<string, Declared>, found = new Set<string>()): Set<string> {
  for (const [name = ''] of text.matchAll(/\b[A-Z]\w+/g)) {
    const one = declared.get(name);
    if (one === undefined || found.has(name) || name === 'Effect') continue;
    found.add(name);
    typesIn(one.text, declared, found);
  }
  return found;
}

const head = `# Events

<!-- Written by \`npm run docs\` from the types in src/model. -->

A runner and the run of a task flow publish what happens as events. \`runner.on(type, listener)\` takes one type;
\`runner.hub.subscribe(pattern, listener)\` and \`run.subscribe(pattern, listener)\` also take a family (\`agent:*\`) or all (\`*\`).
\`roomflow show ID\` prints those that a store holds. The list is closed: a new event comes with a release.`;

const guarantees = `## Guarantees

- **Order.** A listener gets the events of a session in the order of \`seq\`, one at a time. Events that a listener emits come after what was
  emitted before.
- **Once.** A process publishes each event once. After a crash the process that resumes a task flow publishes what the store already
  knows again, with \`recovered: true\`; these are not stored twice. A conversation does not repeat its events.
- **Isolation.** A listener that throws or is slow harms neither the session nor other listeners. A promise that it returns is not
  awaited. Its first failure is reported in the log.
- **Late listeners.** \`fromSeq\` replays what the hub still holds, the last 1,000 events. If the first \`seq\` is higher than asked for,
  older ones are gone. The store has them all: \`store.steps.listEvents\`.
- **Durability.** A listener hears an event when it happens, which is before the commit that stores it. The events of a flow are stored in
  one transaction with the signals that led to them, so after a crash the store has both or neither, and a listener may have
  heard an event that the store does not have. All other events are stored with the next commit of their session.
  \`response:persisted\` is published after the commit.
- **Content.** The events of a flow name slots and variables and hold no quotation. Free text stands in \`data.content\`,
  \`data.delta\`, \`data.text\`, \`data.result\`, \`data.input\`, \`data.message\` and \`data.policyReason\`, and
  may hold what a person said.`;

const streaming = `## Streaming of agent nodes

A run of an agent (\`agent.*\`, \`claude.agent\`, and node types of your own with \`isAgent\`) is one \`runId\`, which
all its events carry. A second attempt of the task is another run.

1. \`agent:start\` comes first, once.
2. \`agent:text\` comes as the model writes, in order. The \`delta\`s of a run joined are the \`text\` of its \`agent:complete\`.
3. Each \`agent:tool:start\` is followed by one \`agent:tool:complete\` or \`agent:tool:error\` of the same \`callId\`, unless the run is aborted.
   Functions of one reply run in parallel, so these may interleave.
4. \`session:message\` of the \`runId\` is the next turn of the agent. \`session:close\` lets it end after the turn under way.
5. The last event is either \`agent:complete\` or \`agent:error\`. After a timeout or an abort nothing more of the run is
   published, even if its model goes on.`;

const channels = `## Life of a channel

1. Channels start in the order in which they were attached, one after the other, before the run begins: \`channel:start\`, then
   \`onStart\`. A channel that is attached later starts at once, after those before it.
2. A channel hears events from its \`channel:start\` to its \`channel:complete\`.
3. After the run has ended, \`onComplete\` is called in the reverse order, each followed by \`channel:complete\`. A channel that failed is
   completed as well; a channel that never started is not.
4. A channel that throws, or takes longer than 10 seconds to start, to complete or for a piece of speech, is reported as
   \`channel:error\`, and the run goes on. After a failed piece of speech it gets no more speech; a failing \`onEvent\` is
   reported once.`;
