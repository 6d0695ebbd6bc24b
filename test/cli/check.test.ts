import { describe, expect, it } from 'vitest';
import { folderOf, projectFolder, roomflow, roomflowHere } from './run-cli.ts';

const good = 'initial_node: a\nnodes:\n  a: { say: Hello., end: done }\n';
const broken =
  'initial_node: a\nnodes:\n  a: { say: Hello., default_transition: dne }\n  done: { say: Bye., end: done }\n';

describe('roomflow check', () => {
  it('says ok and exits with 0', async () => {
    const folder = folderOf({ 'flow.yaml': good });
    expect(await roomflowHere(['check', 'flow.yaml'], '', folder)).toEqual({
      code: 0,
      out: 'flow.yaml: ok\n',
      errors: '',
    });
  });

  it('tells place, fact and remedy with the source under it, and exits with 2', async () => {
    const folder = folderOf({ 'flow.yaml': broken });
    const { code, out, errors } = await roomflow(['check', 'flow.yaml'], '', folder);
    expect(code).toBe(2);
    expect(errors).toBe('');
    expect(out).toContain('flow.yaml:3:41 unknown-target: ');
    expect(out).toContain('Did you mean "done"?');
    expect(out).toMatch(/> 3 \|   a: \{ say: Hello\., default_transition: dne \}\n.*\^\^\^/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^flow\.yaml: 1 error/);
  });

  it('checks several files, also JSON and TypeScript, and prints one JSON document if asked', async () => {
    const json = JSON.stringify({ initial_node: 'a', nodes: { a: { say: 'Hello.', end: true } } });
    const code = `export default { initialNode: 'a', nodes: { a: { say: 'Hello.', end: true } } };\n`;
    const folder = folderOf({ 'a.yaml': broken, 'b.json': json, 'c.ts': code });
    const run = await roomflowHere(['check', '--json', 'a.yaml', 'b.json', 'c.ts'], '', folder);
    expect(run.code).toBe(2);
    const { files } = JSON.parse(run.out) as {
      files: { file: string; ok: boolean; diagnostics: { line: number }[] }[];
    };
    expect(files.map(({ file, ok }) => [file, ok])).toEqual([
      ['a.yaml', false],
      ['b.json', true],
      ['c.ts', true],
    ]);
    expect(files[0]?.diagnostics[0]).toMatchObject({ code: 'unknown-target', line: 3, column: 41, severity: 'error' });
  });

  it('takes the functions of a configuration, and knows the project’s own flows without a warning', async () => {
    const flows = ['clinic-intake', 'restaurant-booking', 'support-triage'].map((name) => `flows/${name}/flow.yaml`);
    const { code, out } = await roomflowHere(['check', '--config', 'agent.config.ts', ...flows], '', projectFolder);
    expect(out).toBe(flows.map((flow) => `${flow}: ok\n`).join(''));
    expect(code).toBe(0);
  });

  it.each([
    [['check', 'nothing.yaml'], /nothing\.yaml:1:1 file-not-found: /],
    [['check'], /FILES/],
    [['check', '--config', 'no.ts', 'flow.yaml'], /file-not-found: no\.ts does not exist/],
    [['check', 'throws.ts'], /file-broken: throws\.ts cannot be loaded: my mistake/],
    [['check', 'number.ts'], /flow-invalid: number\.ts: the default export is no flow/],
    [['check', '--config', 'odd.config.ts', 'flow.yaml'], /config-invalid: odd\.config\.ts\n {2}\(config\): .*toolz/],
    [['chek', 'flow.yaml'], /Unknown command.*chek/],
    [['graph', 'broken.yaml'], /unknown-target/],
  ])('what cannot be done is one clear message and exit code 2, never a stack trace: %j', async (args, message) => {
    const folder = folderOf({
      'flow.yaml': good,
      'broken.yaml': broken,
      'throws.ts': `throw new Error('my mistake');\n`,
      'number.ts': 'export default 5;\n',
      'odd.config.ts': 'export default { toolz: [] };\n',
    });
    const { code, out, errors } = await roomflowHere(args, '', folder);
    expect(code).toBe(2);
    expect(out + errors).toMatch(message);
    expect(out + errors).not.toMatch(/^\s+at /m);
  });
});

describe('roomflow graph and roomflow schema', () => {
  it('draw a flow, and print what editors need', async () => {
    const drawn = await roomflowHere(['graph', 'flows/clinic-intake/flow.yaml']);
    expect(drawn.out).toMatch(/^flowchart TD\n/);
    expect(drawn.code).toBe(0);
    const schema = await roomflowHere(['schema']);
    expect(JSON.parse(schema.out)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  });
});
