import { strToU8, zipSync } from 'fflate';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importFlow } from '../../src/flow/load/import-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { imported, importedValue, told, written } from './imported.ts';

const projects = join(import.meta.dirname, 'projects');

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporary();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A folder of JSON files. */
function projectOf(files: Readonly<Record<string, unknown>>): string {
  const folder = temporary();
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(value));
  }
  return folder;
}

function zipOf(folder: string, prefix = ''): Uint8Array {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return zipSync(
    Object.fromEntries(names.map((name) => [`${prefix}${name}`, strToU8(readFileSync(join(folder, name), 'utf8'))])),
  );
}

describe('a project of Rasa', () => {
  test('becomes a menu of its flows', () => {
    const made = imported(join(projects, 'rasa'));
    const { nodes, edges, slots, state } = written(made);
    expect(nodes['menu']?.functions).toMatchObject([
      { name: 'trace_parcel', description: 'Tell the caller where a parcel is.', transition_to: 'trace_parcel' },
    ]);
    expect(nodes['trace_parcel']).toMatchObject({ collect: ['tracking_code'] });
    expect(slots).toMatchObject({
      tracking_code: {
        type: 'text',
        ask: ['What is your tracking code?', 'Your code, please?'],
        pattern: '^[A-Z0-9]{8}$',
      },
      wants_notice: { type: 'boolean', ask: 'Shall we send you a message when it is here?' },
    });
    expect(state).toEqual({ parcel_state: null });
    expect(nodes['trace_parcel_utter_ready']).toEqual({
      say: 'Parcel {{ tracking_code }} is ready.',
      listen: false,
      default_transition: 'anything_else',
    });
    const from = 'trace_parcel_action_find_parcel_next';
    expect(edges?.filter((edge) => edge.from === from)).toEqual([
      { from, to: 'trace_parcel_utter_ready', when: { equals: { var: 'parcel_state', value: 'ready' } } },
      { from, to: 'trace_parcel_give_up', when: { not: { exists: { var: 'parcel_state' } } } },
    ]);
    expect(nodes['trace_parcel_book']).toMatchObject({ say: 'We will.', default_transition: 'anything_else' });
    expect(nodes['trace_parcel_give_up']).toEqual({ end: 'transferred' });
    for (const { file, line } of made.notes)
      expect([file, line]).toEqual([expect.stringMatching(/\.yml$/), expect.any(Number)]);
  });

  test.each([
    [
      'slots.n > 3 and not slots.ok',
      { all: [{ greater: { var: 'n', value: 3 } }, { any: [{ not: { exists: { var: 'ok' } } }, expect.anything()] }] },
    ],
    [
      'slots.n is not null or slots.name = "Ann"',
      { any: [{ exists: { var: 'n' } }, { equals: { var: 'name', value: 'Ann' } }] },
    ],
    ['{"a" "b"} contains slots.name', { in: { var: 'name', values: ['a', 'b'] } }],
    ['slots.name matches "^A"', { matches: { var: 'name', value: '^A' } }],
    ['(slots.n >= 1)', { at_least: { var: 'n', value: 1 } }],
  ])('reads the condition %s', (condition, when) => {
    const flows = `flows:\n  f:\n    description: F.\n    steps:\n      - action: utter_a\n        next:\n          - if: ${JSON.stringify(condition)}\n            then: [{ action: utter_b, next: END }]\n          - else: END\n`;
    const domain =
      'slots:\n  n: { type: float }\n  ok: { type: bool }\n  name: { type: text }\nresponses:\n  utter_a: [{ text: A. }]\n  utter_b: [{ text: B. }]\n';
    const { edges } = written(imported(folderOf({ 'flows.yml': flows, 'domain.yml': domain })));
    if (condition.includes('not slots.ok'))
      expect(edges?.[0]?.when?.all?.[0]).toEqual({ greater: { var: 'n', value: 3 } });
    else expect(edges).toEqual([{ from: 'f_utter_a_next', to: 'f_utter_b', when }]);
  });

  test.each([
    ['comments', '# recipe: default.v1\n'],
    ['lines between documents', '---\n# recipe: default.v1\n--- # none\r\n...\n'],
    ['null', '~\n'],
  ])('is written whole if a file of it contains only %s', (_, config) => {
    const flows = 'flows:\n  a: { description: A., steps: [{ collect: code }, { action: action_find }] }\n';
    const domain = 'slots: { code: { type: text } }\nactions: [action_ask_code, action_find]\n';
    const folder = folderOf({ 'flows.yml': flows, 'domain.yml': domain, 'config.yml': config });
    const { flow, diagnostics } = importFlow(folder, { catalog: builtinCatalog });
    expect(diagnostics).toEqual([]);
    if (flow === null) throw new Error('nothing was written');
    expect(told(flow, 'lost')).toContainEqual(expect.stringContaining('action_ask_code: code that asks for code'));
    expect(told(flow, 'changed')).toContainEqual(expect.stringContaining('if action_find fails'));
  });

  test('cuts off flows that call each other without end', () => {
    const flows =
      'flows:\n  a: { description: A., steps: [{ call: b }] }\n  b: { description: B., steps: [{ call: a }] }\n';
    const made = imported(folderOf({ 'flows.yml': flows }));
    expect(told(made, 'lost')).toContainEqual(expect.stringContaining('without end'));
  });

  test('has a step told that nobody knows, and goes on behind it', () => {
    const steps = [{ colect: 'code' }, { action: 'utter_done' }];
    const made = importedValue({ flows: { trace: { description: 'Trace.', steps } } }, 'rasa');
    expect(told(made, 'lost')).toContain('a step is not known by "colect": it only leads on');
    expect(told(made, 'taken').join(' ')).not.toContain('noop');
  });

  test('has a rejection that is no rule of its slot told, and what is said where one is', () => {
    const rejecting = (slot: string) => ({
      collect: slot,
      rejections: [{ if: `slots.${slot} > 9`, utter: 'utter_no' }],
    });
    const made = importedValue(
      {
        flows: { pay: { description: 'Pay.', steps: [rejecting('amount'), rejecting('code')] } },
        slots: { amount: { type: 'float' }, code: { type: 'text' } },
        responses: { utter_no: [{ text: 'Too much.' }] },
        session_config: { session_expiration_time: 60 },
      },
      'rasa',
    );
    expect(written(made).slots).toMatchObject({ amount: { maximum: 9 } });
    expect(told(made, 'changed')).not.toContain('a rejection of code is a rule of its slot');
    expect(told(made, 'lost')).toEqual([
      expect.stringContaining('a rejection of code: slots.code > 9'),
      'the line for a refused value of amount: a slot has its own words for that',
      expect.stringContaining('"session_config" has no counterpart'),
    ]);
  });

  test('without its flows is refused with what is missing', () => {
    const { flow, diagnostics } = importFlow(join(projects, 'rasa/domain.yml'), { catalog: builtinCatalog });
    expect([flow, diagnostics[0]?.message]).toEqual([null, expect.stringContaining('a domain of Rasa')]);
  });
});

describe('an agent of Dialogflow CX', () => {
  test('has a node for each page, slots for its forms, and functions for its intents', () => {
    const made = imported(join(projects, 'dialogflow'));
    const { nodes, slots, edges, initial_node } = written(made);
    expect(initial_node).toBe('start');
    expect(nodes['start']?.functions).toMatchObject([
      {
        name: 'trace_parcel',
        description: expect.stringContaining('where is my small parcel'),
        transition_to: 'ask_code',
      },
      { name: 'ask_person', description: 'The caller wants a person.' },
    ]);
    expect(slots).toEqual({
      code: {
        type: 'text',
        ask: 'What is your tracking code?',
        pii: true,
        ladder: { lines: ['Eight letters and digits.'], attempts: 2 },
      },
      size: { type: 'enum', values: { small: ['little'], large: ['big'] } },
    });
    expect(nodes['ask_code']).toMatchObject({ call: 'set_values', input: { tries: 0 } });
    expect(nodes['ask_code_form']).toMatchObject({ collect: ['code', 'size'], default_transition: 'ask_code_then' });
    expect(edges).toContainEqual({
      from: 'ask_code_then',
      to: 'ask_code_route_find',
      when: { exists: { var: 'code' } },
    });
    expect(nodes['ask_code_route_find']).toMatchObject({ call: 'parcels__find', on_error: 'tell' });
    expect(nodes['tell_case']).toEqual({
      say: '{{ code }} is ready.',
      listen: false,
      default_transition: 'end_session',
    });
    expect(made.tools).toMatchObject([
      { name: 'parcels__find', http: { method: 'POST', url: 'https://example.com/cx' } },
    ]);
  });

  test('has what never happens in it told: routes behind others, of intents and of conditions', () => {
    const folder = temporary();
    cpSync(join(projects, 'dialogflow'), folder, { recursive: true });
    const flows = join(folder, 'flows/Default Start Flow');
    const change = (file: string, routes: readonly object[]): void => {
      const value = JSON.parse(readFileSync(file, 'utf8')) as { transitionRoutes?: object[] };
      writeFileSync(
        file,
        JSON.stringify({ ...value, transitionRoutes: [...(value.transitionRoutes ?? []), ...routes] }),
      );
    };
    change(join(flows, 'Default Start Flow.json'), [{ intent: 'weather', targetPage: 'Tell' }]);
    change(join(flows, 'pages/Tell.json'), [
      { intent: 'weather', targetPage: 'END_SESSION' },
      { intent: 'weather', targetPage: 'Ask code' },
      { condition: 'true', targetPage: 'END_SESSION' },
      { condition: '$session.params.state = "late"', targetPage: 'Ask code' },
    ]);
    const made = imported(folder);
    expect(told(made, 'taken')).toContain('in node tell its own route for the intent "weather" comes before this one');
    expect(told(made, 'lost')).toEqual(
      expect.arrayContaining([
        'a second route for the intent "weather": the first one counts',
        expect.stringContaining('$session.params.state = "late" is not in node tell: it follows'),
      ]),
    );
  });

  test('tries a condition of a flow on its start page alone, and says what is said on entry once', () => {
    const text = (...texts: string[]) => ({ messages: [{ text: { text: texts } }] });
    const noMatch = { event: 'sys.no-match-1', triggerFulfillment: text('Sorry?', 'Once more?') };
    const folder = projectOf({
      'agent.json': { displayName: 'desk', defaultLanguageCode: 'en', startFlow: 'Main', timeZone: 'Europe/Paris' },
      'flows/Main/Main.json': {
        displayName: 'Main',
        transitionRoutes: [
          { intent: 'begin', targetPage: 'Ask' },
          { condition: '$session.params.vip = "yes"', targetPage: 'Ask' },
        ],
      },
      'flows/Main/pages/Ask.json': {
        displayName: 'Ask',
        entryFulfillment: text('We are open from nine to five.'),
        transitionRoutes: [{ intent: 'thanks', triggerFulfillment: text('You are welcome.') }],
        eventHandlers: [noMatch],
      },
      'intents/begin/begin.json': { displayName: 'begin' },
      'intents/thanks/thanks.json': { displayName: 'thanks' },
    });
    const made = imported(folder);
    const { nodes, edges } = written(made);
    expect(edges?.map(({ from, to }) => [from, to])).toEqual([[expect.stringMatching(/^start/), 'ask']]);
    const saying = Object.entries(nodes).filter(([, node]) => node.say === 'We are open from nine to five.');
    expect(saying).toHaveLength(1);
    const [id, entry] = saying[0] ?? [];
    expect(entry).toMatchObject({ listen: false });
    const leadingBack = Object.values(nodes).filter((node) => node.say === 'You are welcome.');
    expect(leadingBack.map((node) => node.default_transition)).not.toContain(id);
    expect(told(made, 'lost')).toContainEqual(expect.stringContaining('1 more wordings for sys.no-match-1'));
    expect(told(made, 'lost')).toContainEqual(expect.stringContaining('the time zone Europe/Paris'));
  });

  test('has the lines of its handlers in the order of the attempts, and what the last one says before it leads away', () => {
    const text = (...texts: string[]) => ({ messages: [{ text: { text: texts } }] });
    const handler = (event: string, line: string, targetPage?: string) => ({
      event: `sys.${event}`,
      triggerFulfillment: text(line),
      ...(targetPage === undefined ? {} : { targetPage }),
    });
    const made = imported(
      projectOf({
        'agent.json': { displayName: 'desk', defaultLanguageCode: 'en', startFlow: 'Main' },
        'flows/Main/Main.json': {
          displayName: 'Main',
          eventHandlers: [
            handler('no-match-default', 'Sorry?'),
            handler('no-match-3', 'I give up.', 'END_SESSION'),
            handler('no-input-2', 'Hello?'),
          ],
          transitionRoutes: [{ intent: 'order', targetPage: 'Order' }],
        },
        'flows/Main/pages/Order.json': {
          displayName: 'Order',
          eventHandlers: [handler('no-match-default', 'Nobody can help.', 'END_SESSION')],
        },
        'intents/order/order.json': { displayName: 'order' },
      }),
    );
    const { nodes } = written(made);
    const ladderOf = (id: string) => nodes[id]?.ladder ?? {};
    expect(nodes['start']?.ladder).toMatchObject({ lines: ['Sorry?', 'Hello?'], attempts: 3 });
    const { on_no_match: given = '' } = ladderOf('start');
    expect(nodes[given]).toEqual({ say: 'I give up.', listen: false, default_transition: 'end_session' });
    // The handler of a page takes precedence over the same handler of its flow.
    expect(ladderOf('order')).toMatchObject({ attempts: 1 });
    const { on_no_match: helpless = '' } = ladderOf('order');
    expect(nodes[helpless]).toMatchObject({ say: 'Nobody can help.', default_transition: 'end_session' });
  });

  test('has one function for an intent, whose routes are tried in order, and a form that goes on after an aside', () => {
    const text = (...texts: string[]) => ({ triggerFulfillment: { messages: [{ text: { text: texts } }] } });
    const made = imported(
      projectOf({
        'agent.json': { displayName: 'desk', defaultLanguageCode: 'en', startFlow: 'Main' },
        'flows/Main/Main.json': {
          displayName: 'Main',
          transitionRoutes: [
            { intent: 'order', targetPage: 'Order' },
            { intent: 'hours', ...text('We open at nine.') },
          ],
        },
        'flows/Main/pages/Order.json': {
          displayName: 'Order',
          entryFulfillment: { messages: [{ text: { text: ['An order, then.'] } }] },
          form: { parameters: [{ displayName: 'size', entityType: '@sys.any', required: true }] },
          transitionRoutes: [
            { intent: 'hours', condition: '$session.params.vip = true', ...text('Any time, for you.') },
            { intent: 'hours', condition: '$session.params.late = true', ...text('Not before ten.') },
            { condition: '$page.params.status = "FINAL"', targetPage: 'END_SESSION' },
          ],
        },
        'intents/order/order.json': { displayName: 'order' },
        'intents/hours/hours.json': { displayName: 'hours' },
      }),
    );
    const { nodes, edges = [] } = written(made);
    const form = nodes['order_form'];
    expect(form?.functions).toMatchObject([{ name: 'hours' }, { name: 'order' }]);
    expect(nodes[form?.functions?.[0]?.transition_to as string]).toMatchObject({ type: 'control.noop' });
    const decides = form?.functions?.[0]?.transition_to as string;
    const said = [
      ...edges.filter(({ from }) => from === decides).map(({ to }) => to),
      nodes[decides]?.default_transition,
    ];
    expect(said.map((id = '') => nodes[id])).toMatchObject([
      { say: 'Any time, for you.', default_transition: 'order_form' },
      { say: 'Not before ten.', default_transition: 'order_form' },
      { say: 'We open at nine.', default_transition: 'order_form' },
    ]);
    // The line of the entry is said once.
    expect(form).not.toHaveProperty('say');
    expect(nodes['order']).toMatchObject({ say: 'An order, then.', default_transition: 'order_form' });
  });

  test('is read out of a zip archive, also from a folder inside of it', () => {
    const whole = imported(join(projects, 'dialogflow')).document;
    const folder = temporary();
    for (const prefix of ['', 'exported/']) {
      writeFileSync(join(folder, 'agent.zip'), zipOf(join(projects, 'dialogflow'), prefix));
      expect(imported(join(folder, 'agent.zip')).document).toEqual(whole);
    }
  });

  test('of which only a part is given is refused with what is missing', () => {
    const page = join(projects, 'dialogflow/flows/Default Start Flow/pages/Tell.json');
    const { flow, diagnostics } = importFlow(page, { catalog: builtinCatalog });
    expect([flow, diagnostics[0]?.hint]).toEqual([null, expect.stringContaining('the whole folder')]);
  });
});

describe('an archive or folder that means harm', () => {
  const read = (path: string) => importFlow(path, { catalog: builtinCatalog });

  test('unpacks to no more than is allowed', () => {
    const file = join(temporary(), 'bomb.zip');
    writeFileSync(file, zipSync({ 'agent.json': new Uint8Array(60_000_000) }));
    expect(read(file)).toMatchObject({
      flow: null,
      diagnostics: [{ message: expect.stringContaining('unpacks to more than') }],
    });
  });

  test('has no file read whose name leads out of it', () => {
    const file = join(temporary(), 'evil.zip');
    writeFileSync(
      file,
      zipSync({ '../agent.json': strToU8('{"startFlow":"x"}'), '/etc/agent.json': strToU8('{"startFlow":"x"}') }),
    );
    expect(read(file)).toMatchObject({
      flow: null,
      diagnostics: [{ message: expect.stringContaining('no YAML or JSON file') }],
    });
  });

  test('has no link followed that leads out of it', () => {
    const outside = folderOf({ 'agent.json': '{"startFlow":"x","displayName":"secret"}' });
    const folder = temporary();
    symlinkSync(join(outside, 'agent.json'), join(folder, 'agent.json'));
    expect(read(folder).flow).toBeNull();
  });

  test('that is no archive is told', () => {
    const file = join(folderOf({ 'a.zip': 'PK\u0003\u0004 and nothing else' }), 'a.zip');
    expect(read(file)).toMatchObject({
      flow: null,
      diagnostics: [{ message: expect.stringContaining('not a zip archive') }],
    });
  });
});

test('texts of Dialogflow in several languages are texts by language, and words of all of them mean a value', () => {
  const text = (languageCode: string, ...lines: string[]) => ({ languageCode, text: { text: lines } });
  const folder = temporary();
  const files = {
    'agent.json': {
      displayName: 'hotel',
      defaultLanguageCode: 'en',
      supportedLanguageCodes: ['de'],
      startFlow: 'Main',
    },
    'flows/Main/Main.json': {
      displayName: 'Main',
      transitionRoutes: [{ name: 'r', intent: 'book', targetPage: 'Dates' }],
    },
    'flows/Main/pages/Dates.json': {
      displayName: 'Dates',
      entryFulfillment: { messages: [text('en', 'When?', 'Which day?'), text('de', 'Wann?')] },
      form: {
        parameters: [
          {
            displayName: 'sure',
            entityType: '@sure',
            required: true,
            fillBehavior: { initialPromptFulfillment: { messages: [text('en', 'Sure?'), text('de', 'Sicher?')] } },
          },
        ],
      },
      transitionRoutes: [{ name: 'f', condition: '$page.params.status = "FINAL"', targetPage: 'End Session' }],
    },
    'intents/book/book.json': { displayName: 'book' },
    'entityTypes/sure/sure.json': { displayName: 'sure', kind: 'KIND_MAP' },
    'entityTypes/sure/entities/en.json': { entities: [{ value: 'yes', synonyms: ['yes'] }] },
    'entityTypes/sure/entities/de.json': {
      entities: [
        { value: 'yes', synonyms: ['ja'] },
        { value: 'vielleicht', synonyms: [] },
      ],
    },
  };
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(value));
  }
  const made = imported(folder);
  expect(made.document).toMatchObject({ language: 'en', languages: ['en', 'de'] });
  const { slots, nodes } = written(made);
  expect(slots?.['sure']).toMatchObject({ ask: { en: 'Sure?', de: 'Sicher?' }, values: { yes: ['ja'] } });
  expect(JSON.stringify(nodes)).toContain(JSON.stringify({ en: ['When?', 'Which day?'], de: 'Wann?' }));
  expect(told(made, 'lost')).toContain('the value "vielleicht": it does not exist in en');
  expect(made.check.filter(({ severity }) => severity === 'error')).toEqual([]);
});
