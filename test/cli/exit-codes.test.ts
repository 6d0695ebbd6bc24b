import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { folderOf, projectFolder, roomflowHere } from './run-cli.ts';

/** Returns the table of the documentation. */
function written(): readonly string[] {
  return Object.entries(exitCodes).flatMap(([command, codes]) =>
    Object.entries(codes).map(([code, meaning]) => `| \`${command}\` | ${code} | ${meaning} |`),
  );
}

describe('exit codes', () => {
  it('stand in the documentation as they are, for every command', async () => {
    const lines = readFileSync(join(projectFolder, 'docs/exit-codes.md'), 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('| `'))).toEqual(written());
    const { out } = await roomflowHere(['--help']);
    const commands = [...out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);
    expect(Object.keys(exitCodes).toSorted()).toEqual(commands.toSorted());
  });

  const files = {
    'talk.yaml': 'initial_node: a\nnodes: { a: { say: Bye., end: x } }\n',
    'loud.yaml': 'initial_node: a\nnodes: { a: { say: "Bye {name}.", end: x } }\n',
    'broken.yaml': 'initial_node: b\nnodes: { a: { end: x } }\n',
    'tasks.yaml': 'flow: {}\nnodes: { a: { type: control.noop } }\n',
    'fails.yaml': 'flow: {}\nnodes: { a: { type: control.fail, input: { message: x } } }\n',
  };
  const store = ['--store', 'sqlite:./kept.db'];

  const ends = [
    [0, ['check', 'talk.yaml', 'loud.yaml']],
    [2, ['check', '--strict', 'loud.yaml']],
    [2, ['check', 'broken.yaml']],
    [2, ['check', 'nowhere.yaml']],
    [0, ['graph', 'tasks.yaml']],
    [2, ['graph', 'broken.yaml']],
    [0, ['schema']],
    [2, ['schema', '--colour']],
    [0, ['chat', '--flow', 'talk.yaml']],
    [2, ['chat', '--flow', 'broken.yaml']],
    [0, ['run', 'tasks.yaml']],
    [1, ['run', 'fails.yaml']],
    [2, ['run', 'talk.yaml']],
    [2, ['run', 'tasks.yaml', '--input', '{']],
    [0, ['run', 'tasks.yaml', '--session', 'a', ...store]],
    [0, ['sessions', ...store]],
    [2, ['sessions', '--store', 'sqlite:./nowhere.db']],
    [0, ['show', 'a', ...store]],
    [2, ['show', 'b', ...store]],
    [0, ['export', 'a', ...store]],
    [0, ['replay', 'a', ...store]],
    [1, ['replay', 'a', '--against', 'fails.yaml', ...store]],
    [2, ['replay', 'b', ...store]],
    [2, ['resume', 'a', ...store]],
    [2, ['forget', 'a', ...store]],
    [0, ['forget', 'a', '--yes', ...store]],
    [2, ['worker', '--flow', 'broken.yaml']],
  ] as const;

  it('are those of every command, one after the other on one store', async () => {
    const folder = folderOf(files);
    for (const [code, args] of ends) {
      const ended = await roomflowHere([...args], '', folder);
      expect(ended.code, `roomflow ${args.join(' ')}: ${ended.out}${ended.errors}`).toBe(code);
      expect(Object.keys(exitCodes[args[0]] ?? {})).toContain(String(code));
    }
  });
});
