import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf, projectFolder, roomflowHere } from './run-cli.ts';

const flow = `
flow: { name: greet, input: { name: string } }
nodes:
  hello: { type: data.template, input: { template: "Hello {{ flow.input.name }}." } }
  never: { type: control.noop }
edges:
  - { from: hello, to: never, when: { equals: { var: flow.input.name, value: nobody } } }
`;
const failing = 'flow: {}\nnodes:\n  a: { type: control.fail, input: { message: Nothing is left. } }\n';

describe('roomflow run', () => {
  it('prints the outputs, and on the side a line for each task', async () => {
    const { code, out, errors } = await roomflowHere(
      ['run', 'flow.yaml', '--input', '{"name":"Ann"}'],
      '',
      folderOf({ 'flow.yaml': flow }),
    );
    expect(JSON.parse(out)).toEqual({ hello: { text: 'Hello Ann.' } });
    expect(errors).toMatch(/^✓ hello {2}\d+ ms\n- never {2}skipped\n$/);
    expect(code).toBe(0);
  });

  it('prints one JSON document and nothing else if asked', async () => {
    const run = await roomflowHere(
      ['run', 'flow.yaml', '--json', '--input', '{"name":"Ann"}'],
      '',
      folderOf({ 'flow.yaml': flow }),
    );
    expect(JSON.parse(run.out)).toEqual({
      status: 'complete',
      durationMs: expect.any(Number) as number,
      outputs: { hello: { text: 'Hello Ann.' } },
      failures: [],
    });
    expect(run.errors).toBe('');
  });

  it('tells which task failed and why, and exits with 1', async () => {
    const { code, out, errors } = await roomflowHere(['run', 'flow.yaml'], '', folderOf({ 'flow.yaml': failing }));
    expect(errors).toMatch(/^✗ a {2}\d+ ms {2}control-fail\na: control-fail: Nothing is left\.\n$/);
    expect(out).toBe('{}\n');
    expect(code).toBe(1);
  });

  it('asks the questions of a gate, and takes a line for each', async () => {
    const gate = 'flow: {}\nnodes:\n  ask: { type: control.gate, input: { prompt: Pay?, choices: [pay, refuse] } }\n';
    const folder = folderOf({ 'flow.yaml': gate });
    const { code, out, errors } = await roomflowHere(['run', 'flow.yaml'], 'perhaps\n1\n', folder);
    expect(errors).toMatch(/^(Pay\?\n {2}1 {2}pay\n {2}2 {2}refuse\n){2}✓ ask/);
    expect(JSON.parse(out)).toEqual({ ask: { response: { content: '1', choice: 'pay' } } });
    expect(code).toBe(0);
    expect(await roomflowHere(['run', 'flow.yaml'], '', folder)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('ask: no-answer: ') as string,
    });
  });

  it.each([
    [
      ['run', 'flow.yaml', '--input', '{"nmae":1}'],
      /input-unknown: flow "greet" takes no input "nmae"\. Did you mean "name"\?/,
    ],
    [['run', 'flow.yaml', '--input', '[1]'], /input-invalid: --input must be a JSON object/],
    [['run', 'flow.yaml', '--input', '{name}'], /input-invalid: --input is no JSON/],
    [['run', 'none.yaml'], /none\.yaml:1:1 file-not-found/],
    [['run', 'talk.yaml'], /flow-invalid: "talk" is a conversation\. Talk to it: roomflow chat --flow talk\.yaml/],
  ])('what cannot be run is one clear message and exit code 2, never a stack trace: %j', async (args, message) => {
    const folder = folderOf({
      'flow.yaml': flow,
      'talk.yaml': 'initial_node: a\nnodes: { a: { say: Hi., end: true } }\n',
    });
    const { code, out, errors } = await roomflowHere(args, '', folder);
    expect(code).toBe(2);
    expect(errors).toMatch(message);
    expect(out + errors).not.toMatch(/^\s+at /m);
  });

  it('is broken off by Ctrl-C, and says so', async () => {
    const waits =
      'flow: {}\nnodes:\n  first: { type: control.noop }\n  long: { type: control.wait, input: { ms: 3600000 } }\n';
    const child = spawn(process.execPath, [join(projectFolder, 'dist/cli/main.js'), 'run', 'flow.yaml'], {
      cwd: folderOf({ 'flow.yaml': waits }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => {
      // The line of the first task tells that the second one runs.
      if (errors === '') child.kill('SIGINT');
      errors += data.toString();
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(errors).toMatch(/^✓ first {2}\d+ ms\n✗ long {2}\S+ m?s {2}aborted\nbroken off\.\n$/);
    expect(code).toBe(130);
  });
});
