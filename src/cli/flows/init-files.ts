import { flowJsonSchema } from '../../flow/graph/json-schema.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import { flowTestJsonSchema } from '../../flowtest/document/json-schema.ts';

/** Returns the files of a new flow, by their paths relative to the project folder. */
export function filesOfNewFlow(name: string): Readonly<Record<string, string>> {
  return {
    [`${name}/flow.yaml`]: flowOf(name),
    [`${name}/tools.ts`]: tools,
    [`${name}/flow.flowtest.yaml`]: test,
    'schemas/flow.schema.json': `${JSON.stringify(flowJsonSchema(builtinCatalog), null, 2)}\n`,
    'schemas/flowtest.schema.json': `${JSON.stringify(flowTestJsonSchema(), null, 2)}\n`,
    'agent.config.ts': configOf(name),
    'tsconfig.json': tsconfig,
  };
}

/** Compiler options that allow imports of `./x.ts`; Node runs the files as they are. */
export const linesForTsconfig = '"allowImportingTsExtensions": true, "noEmit": true';

const tsconfig = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "strict": true,
    "skipLibCheck": true,
    ${linesForTsconfig}
  }
}
`;

/** The lines that add the flow to an existing configuration. */
export function linesForConfig(name: string): readonly string[] {
  return [
    `import { tools as ${variableOf(name)}Tools } from './${name}/tools.ts';`,
    `flows: { …, '${name}': '${name}/flow.yaml' },`,
    `tools: [ …, ...${variableOf(name)}Tools],`,
  ];
}

function variableOf(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function flowOf(name: string): string {
  return `# yaml-language-server: $schema=../schemas/flow.schema.json
schema_version: 1
name: ${name}
description: Takes a reservation.
initial_node: details
role_messages:
  - role: system
    content: You take reservations on the phone. Be friendly and brief.

slots:
  guest:
    type: name
    ask: May I have your name?
    pii: true
  day:
    type: date
    description: The day of the reservation.
    ask: For which day?
    after: today

functions:
  - name: goodbye
    description: The caller says goodbye or wants nothing any more.
    transition_to: bye

nodes:
  details:
    say: Hello! I can make a reservation for you.
    collect: [guest, day]
    default_transition: reserve

  reserve:
    task_messages: [{ role: system, content: Make the reservation with make_reservation. }]
    call: make_reservation
    functions:
      - name: make_reservation
        description: Make the reservation.
        parameters:
          type: object
          properties: { guest: { type: string }, day: { type: string, format: date } }
          required: [guest, day]
        effect: write
        confirm: "A reservation for {{ guest }} on {{ day }}. Is that right?"
        transition_to: { field: status, cases: { reserved: done, full: full }, default: full }
      - name: not_right
        description: The caller says no.
        transition_to: bye

  done:
    say: "See you on {{ day }}. Goodbye!"
    end: reserved
  full:
    say: I am sorry, I cannot make a reservation for that day. Goodbye!
    end: full
  bye:
    say: Thank you for calling. Goodbye!
    end: goodbye

# The next node if the tool fails.
on_error: full
`;
}

const tools = `import { flowTool } from 'roomflow/livekit';

/** Tools of the flow. A real agent calls another system here; \`key\` is the same for each attempt of one call. */
export const tools = [
  flowTool({
    name: 'make_reservation',
    description: 'Make the reservation.',
    effect: 'write',
    execute: (_reservation, { key }) => ({ status: 'reserved', reference: key }),
  }),
];
`;

const test = `# yaml-language-server: $schema=../schemas/flowtest.schema.json
version: 1
flow: flow.yaml
coverage: { nodes: 100, edges: 100 }
defaults:
  now: 2030-01-07T09:00Z
  tools:
    make_reservation: { returns: { status: reserved } }

scenarios:
  - name: a reservation is made once, after a yes
    turns:
      - expect: { node: details, said: May I have your name }
      - user: Maria Delgado
        model: { record: { guest: Maria Delgado } }
        expect: { slots: { guest: Maria Delgado }, said: For which day }
      - user: on January 12
        model: { record: { day: "2030-01-12" } }
        expect: { node: reserve, said: Is that right }
      - user: "yes"
        expect: { edge: reserve -> done, tool: { name: make_reservation, effective: 1 } }
    finally: { outcome: reserved }

  - name: nothing is reserved after a no
    turns:
      - user: Maria Delgado, on January 12
        model: { record: { guest: Maria Delgado, day: "2030-01-12" } }
      - user: "no"
        expect: { outcome: goodbye }
    never: [{ tool: make_reservation }]

  - name: a caller hears that the day is full
    tools:
      make_reservation: { returns: { status: full } }
    turns:
      - user: Maria Delgado, on January 12
        model: { record: { guest: Maria Delgado, day: "2030-01-12" } }
      - user: "yes"
        expect: { outcome: full, said: I am sorry }

  - name: a caller hears that the reservation cannot be made
    tools:
      make_reservation: { throws: the system is down }
    turns:
      - user: Maria Delgado, on January 12
        model: { record: { guest: Maria Delgado, day: "2030-01-12" } }
      - user: "yes"
        expect: { outcome: full, said: I am sorry }

  - name: a caller may change their mind
    turns:
      - user: Never mind. Goodbye!
        model: { call: goodbye }
        expect: { outcome: goodbye }
    never: [{ tool: make_reservation }]
`;

function configOf(name: string): string {
  return `import { defineConfig } from 'roomflow';
import { tools } from './${name}/tools.ts';

export default defineConfig({
  flows: { '${name}': '${name}/flow.yaml' },
  tools,
});
`;
}
