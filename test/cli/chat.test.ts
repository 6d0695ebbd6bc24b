import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf, projectFolder, roomflow, roomflowHere } from './run-cli.ts';

const flow = `initial_node: greet
role_messages: [{ role: system, content: You answer the phone. }]
slots:
  name: { type: name, ask: "Who is calling, please?", confirm: readback }
nodes:
  greet:
    say: Hello. Shall we start?
    functions:
      - { name: start, description: The caller agrees to start., transition_to: ask }
      - { name: decline, description: The caller refuses., transition_to: bye }
  ask: { collect: [name], default_transition: done }
  done: { say: "Thank you, {{ name }}.", end: done }
  bye: { say: Goodbye., end: declined }
`;

describe('roomflow chat', () => {
  it('takes lines from a pipe, answers in plain lines of at most 80 columns, and exits with 0 at the end of the flow', async () => {
    const { code, out, errors } = await roomflow(
      ['chat', 'flow.yaml'],
      'yes please\nMaria Delgado\nyes\n',
      folderOf({ 'flow.yaml': flow }),
    );
    expect(errors).toBe('');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('model: offline brain (rules, not a language model)');
    expect(lines.filter((line) => line.startsWith('agent  '))).toEqual([
      'agent  Hello. Shall we start?',
      'agent  Who is calling, please?',
      'agent  Maria Delgado, is that right?',
      'agent  Thank you, Maria Delgado.',
    ]);
    expect(out).toContain('greet -> ask  (start)');
    expect(out).toContain('name confirmed');
    expect(lines.at(-1)?.trim()).toBe('ended: done');
    expect(lines.every((line) => line.length <= 80 && !line.includes('\u001b'))).toBe(true);
  });

  it('talks to each flow that check finds no error in: a function of code that is not there is pretended', async () => {
    const folder = folderOf({
      'flow.yaml': `initial_node: a
nodes:
  a:
    task_messages: [{ role: system, content: Help. }]
    functions: [{ name: pizza, description: The caller wants pizza. }]
`,
    });
    expect((await roomflowHere(['check', 'flow.yaml'], '', folder)).code).toBe(0);
    const { out, errors } = await roomflowHere(['chat', 'flow.yaml'], '', folder);
    expect(errors).toBe('');
    expect(out).toContain('pretended, because no code registers them: pizza');
  });

  it('begins in the language that --language names, and refuses what is not a tag', async () => {
    const folder = folderOf({
      'flow.yaml': `initial_node: bye
languages: [en, es]
nodes: { bye: { say: { en: Goodbye., es: Adiós. }, end: done } }
`,
    });
    const { code, out } = await roomflowHere(['chat', 'flow.yaml', '--language', 'es'], '', folder);
    expect(out).toContain('agent  Adiós.');
    expect(code).toBe(0);
    const wrong = await roomflowHere(['chat', 'flow.yaml', '--language', 'Spanish'], '', folder);
    expect(wrong.errors).toContain('must be a tag such as es');
    expect(wrong.code).toBe(2);
    const unlisted = await roomflowHere(['chat', 'flow.yaml', '--language', 'de'], '', folder);
    expect(unlisted.out + unlisted.errors).toContain('de');
  });

  it.each([
    [['chat', 'flow.yaml', 'flow.yaml'], '"flow.yaml" is one argument too many: roomflow chat takes FILE.'],
    [['chat', 'flow.yaml', '--flow', 'flow.yaml'], 'the flow file is given twice: as an argument and by --flow.'],
    [['start', 'flow.yaml'], '"flow.yaml" is one argument too many: roomflow start takes no argument.'],
  ])('reads every word or refuses it: %j', async (args, message) => {
    const { code, errors } = await roomflowHere(args, '', folderOf({ 'flow.yaml': flow }));
    expect(errors).toContain(message);
    expect(code).toBe(2);
  });

  it('pretends what a flow asks of code that nobody has written yet, and says so; of a configuration that is named it does not', async () => {
    const folder = folderOf({
      'flow.yaml': `initial_node: book
nodes:
  book:
    task_messages: [{ role: system, content: Book it. }]
    functions:
      - name: book_table
        description: Books a table for some people.
        parameters: { type: object, properties: { people: { type: integer, description: How many people } }, required: [people] }
        effect: write
        confirm: true
        save_as: booking
        transition_to: { field: ok, cases: { true: done }, default: book }
    post_actions: [{ type: function, handler: noteBooking }]
  done: { say: "Booked for {{ booking.people }}.", end: booked }
`,
      'own.config.mjs': 'export default { flows: {} };',
    });
    const args = ['chat', '--flow', 'flow.yaml'];
    const { code, out, errors } = await roomflowHere(args, 'a table for four people\nyes\n', folder);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('pretended, because no code registers them: book_table, noteBooking\n');
    expect(out).toContain('agent  Booked for 4.\n');
    const kept = ['--store', 'sqlite:./talk.db', '--session', 'one'];
    await roomflowHere([...args, ...kept], 'a table for four people\n', folder);
    const goneOn = await roomflowHere(['chat', ...kept], 'yes\n', folder);
    expect(goneOn.errors).toBe('');
    expect(goneOn.out).toContain('agent  Booked for 4.\n');
    const named = await roomflowHere([...args, '--config', 'own.config.mjs'], '', folder);
    expect(named.code).toBe(2);
    expect(named.errors).toContain('function "book_table" is not registered');
  });

  it('shows the state, knows its commands, and exits with 0 at /quit', async () => {
    const { code, out } = await roomflowHere(
      ['chat', '--flow', 'flow.yaml'],
      '/state\n/nothing\n/interrupt\n/quit\nyes\n',
      folderOf({ 'flow.yaml': flow }),
    );
    expect(code).toBe(0);
    expect(out).toContain('node: greet  (active)');
    expect(out).toContain('there is no command /nothing');
    expect(out).not.toContain('Who is calling');
  });

  it('shows no control characters, neither of what is typed nor of what is read back', async () => {
    const { code, out } = await roomflowHere(
      ['chat', '--flow', 'flow.yaml'],
      'yes please\nmy name is \u001b[2JMaria\u0007 Delgado\n\u0000\u009b\ufffd\n/state\n',
      folderOf({ 'flow.yaml': flow }),
    );
    expect(code).toBe(0);
    // eslint-disable-next-line no-control-regex -- These characters must not be shown.
    expect(out.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it.each([
    ['nothing', ''],
    ['a last line without an end', 'yes please'],
    ['a very long line', `${'yes '.repeat(50_000)}\n`],
  ])('comes to an end with the input: %s', async (_what, typed) => {
    const { code, out, errors } = await roomflowHere(
      ['chat', '--flow', 'flow.yaml'],
      typed,
      folderOf({ 'flow.yaml': flow }),
    );
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out.includes('Who is calling, please?')).toBe(typed !== '');
    expect(out.trimEnd().endsWith('ended: quit')).toBe(true);
  });

  const script = (ended: string): string => `
- say: yes please
- expect: { node: ask, said: who is calling }
- say: Maria Delgado
- say: "yes"
- expect: { said: "/thank you, maria/i", slots: { name: Maria Delgado }, ended: ${ended} }
`;

  it('plays a script; what is not met is told with its step, and exits with 1', async () => {
    const folder = folderOf({ 'flow.yaml': flow, 'good.yaml': script('done'), 'bad.yaml': script('declined') });
    const good = await roomflowHere(['chat', '--flow', 'flow.yaml', '--script', 'good.yaml'], '', folder);
    expect(good).toMatchObject({ code: 0, errors: '' });
    expect(good.out).toContain('script: 5 steps, ok');
    const bad = await roomflowHere(['chat', '--flow', 'flow.yaml', '--script', 'bad.yaml'], '', folder);
    expect(bad.code).toBe(1);
    expect(bad.errors).toContain('bad.yaml: step 5: expected ended "declined", got "done"');
  });

  it('plays no words of a script to a conversation that is over', async () => {
    const folder = folderOf({
      'flow.yaml': flow,
      'late.yaml': '- say: no thank you\n- say: hello\n- say: hello again\n',
    });
    const { code, out, errors } = await roomflowHere(
      ['chat', '--flow', 'flow.yaml', '--script', 'late.yaml'],
      '',
      folder,
    );
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'late.yaml: step 2: the conversation has already ended (declined).\n',
    });
    expect(out).not.toContain('hello');
  });

  it('asks for no more on a terminal once the conversation is over', async () => {
    const isTerminal = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
    Object.defineProperty(process.stdout, 'isTTY', { configurable: true, value: true });
    onTestFinished(() => {
      if (isTerminal === undefined) Reflect.deleteProperty(process.stdout, 'isTTY');
      else Object.defineProperty(process.stdout, 'isTTY', isTerminal);
    });
    const typed = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    // Keys of one chunk were pasted: a tab among them does not complete anything.
    for (const keys of ['/sta', '\t', '\r', 'no thank you\r']) typed.write(keys);
    const { code, out } = await roomflowHere(['chat', '--flow', 'flow.yaml'], typed, folderOf({ 'flow.yaml': flow }));
    expect(code).toBe(0);
    expect(out).toContain('node: greet  (active)');
    expect(stripVTControlCharacters(out).trimEnd()).toMatch(/ended: declined$/);
  });

  it.each([
    [['chat'], /flow-missing: there is no flow to talk to/],
    // `pay` is not registered, which is not the reported fault.
    [
      ['chat', '--flow', 'broken.yaml'],
      /^flow-invalid: \S*broken\.yaml has 1 error\.\n\S* *\S*broken\.yaml:3:8 unknown-key[^\n]*\n$/,
    ],
    [
      ['chat', '--flow', 'flow.yaml', '--script', 'odd.yaml'],
      /script-invalid: odd\.yaml\n  step 1: a step is one of join, say, .*, not sya\./,
    ],
    [
      ['chat', '--flow', 'flow.yaml', '--script', 'typo.yaml'],
      /script-invalid: typo\.yaml\n  step 2: expect: there is no "noed". Did you mean "node"\?/,
    ],
    [
      ['chat', '--flow', 'flow.yaml', '--script', 'empty.yaml'],
      /script-invalid: empty\.yaml\n  a script is a list of steps/,
    ],
    [['chat', '--flow', 'flow.yaml', '--script', 'room.yaml'], /^script-unsupported: room\.yaml: step 2 needs a room/],
    [['chat', '--fow', 'flow.yaml'], /^option-unknown: there is no option --fow\. Did you mean --flow\?/],
    // An argument is not an option with that name.
    [
      ['approve', '--key', 's/1/1'],
      /^option-unknown: there is no option --key\. There are --store, --config, --decision, /,
    ],
    [['setup-speech', '--pretty'], /^option-unknown: there is no option --pretty\. This command takes none\.\n$/],
    [['chat', '--flow'], /^option-empty: --flow needs a value\./],
    [['chat', '--flow', 'task.yaml'], /^flow-invalid: "task" is a task flow\. Run it: roomflow run task\.yaml/],
    [['chat', '--session=', '--flow', 'flow.yaml'], /^option-empty: --session needs a value\./],
    [['chta'], /^command-unknown: there is no command "chta"\. Did you mean chat\?\n$/],
    [['chat', '--flow', 'flow.yaml', '--script', 'none.yaml'], /file-not-found: none\.yaml cannot be read/],
    [['start'], /file-not-found: agent\.config\.ts does not exist/],
  ])('what cannot be done is one clear message and exit code 2: %j', async (args, message) => {
    const folder = folderOf({
      'flow.yaml': flow,
      'broken.yaml':
        'initial_node: a\nnodes:\n  a: { sya: Hello., functions: [{ name: pay, effect: write, transition_to: a }] }\n',
      'odd.yaml': '- sya: hello\n',
      'typo.yaml': '- say: hello\n- expect: { noed: greet }\n',
      'empty.yaml': '',
      'room.yaml': '- say: hello\n- interrupt: wait\n',
      'task.yaml': 'flow: {}\nnodes: { a: { type: control.noop } }\n',
    });
    const { code, out, errors } = await roomflowHere(args, '', folder);
    expect(code).toBe(2);
    expect(out + errors).toMatch(message);
    expect(out + errors).not.toMatch(/^\s+at /m);
  });
});

describe('a conversation that can be kept no more', () => {
  it('is told, ends with exit code 1, and takes nothing of the lines behind it', async () => {
    const memory = join(projectFolder, 'dist/store/memory/store.js');
    const errors = join(projectFolder, 'dist/model/errors.js');
    const config = `import { createMemoryStore } from ${JSON.stringify(memory)};
import { FlowError } from ${JSON.stringify(errors)};
const store = createMemoryStore({ clock: { now: () => Date.now(), schedule: () => () => undefined } });
let commits = 0;
export default { flows: { call: 'flow.yaml' }, store: { ...store, steps: { ...store.steps, async create(step) {
  if ((commits += 1) > 2) throw new FlowError('store-full', 'the disk is full.');
  await store.steps.create(step);
} } } };`;
    const folder = folderOf({ 'flow.yaml': flow, 'agent.config.mjs': config });
    const run = await roomflow(
      ['chat', '--config', 'agent.config.mjs'],
      'yes please\nMaria Delgado\nyes\nand my account is 4711\nand more\n',
      folder,
    );
    expect(run.code).toBe(1);
    expect(run.errors).toBe(
      'store-full: the conversation ended because it could not be stored. The last input is lost.\n',
    );
    expect(run.out).not.toMatch(/^you +and/m);
  });
});

describe('a conversation that is over', () => {
  it('takes nothing of the lines behind it, and fails at nothing', async () => {
    const folder = folderOf({ 'flow.yaml': flow });
    const { code, out, errors } = await roomflowHere(
      ['chat', '--flow', 'flow.yaml'],
      'yes please\nMaria Delgado\nyes\nactually no\nand more\n',
      folder,
    );
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out.trimEnd().split('\n').at(-1)?.trim()).toBe('ended: done');
  });
});

describe('roomflow start', () => {
  it('begins with the prompt where no initial flow is named; commands, hooks and router decide there', async () => {
    const config = `export default {
      prompt: 'You answer the phone.', models: { llm: 'offline' }, flows: { call: 'flow.yaml' }, commands: {},
      router: { mode: 'rules', rules: { call: { patterns: ['\\\\bbook\\\\b'] } } },
      hooks: { beforeLLM: async ({ text }) => text === 'secret' ? { action: 'skip_llm', draftReply: 'Not here.' } : undefined },
    };`;
    const { code, out, errors } = await roomflowHere(
      ['start'],
      '/flow status\nsecret\nplease book it\n/flow stop\n/quit\n',
      folderOf({ 'flow.yaml': flow, 'agent.config.ts': config }),
    );
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out.split('\n').filter((line) => line.startsWith('agent  '))).toEqual([
      'agent  No flow is active.',
      'agent  Not here.',
      'agent  Hello. Shall we start?',
      'agent  Flow "call" is stopped.',
    ]);
  });
});
