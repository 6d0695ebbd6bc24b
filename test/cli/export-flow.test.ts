import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf, roomflowHere } from './run-cli.ts';

const flow = 'initial_node: a\nnodes:\n  a: { say: Hello., end: done }\n';

describe('roomflow export --to', () => {
  it.each([
    ['mermaid', /^flowchart TD/],
    ['dot', /^digraph flow \{/],
    ['html', /^<!doctype html>/],
    ['svg', /^<svg xmlns=/],
    ['pipecat', /^\{\n {2}"initial_node": "a"/],
  ])('prints a flow as %s, or writes it, and never over what is there', async (form, begins) => {
    const folder = folderOf({ 'flow.yaml': flow });
    const printed = await roomflowHere(['export', 'flow.yaml', '--to', form], '', folder);
    expect([printed.code, printed.out]).toEqual([0, expect.stringMatching(begins)]);
    const args = ['export', 'flow.yaml', '--to', form, '--out', 'out.txt'];
    expect((await roomflowHere(args, '', folder)).code).toBe(0);
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe(printed.out);
    expect((await roomflowHere(args, '', folder)).errors).toContain('file-exists');
  });

  it('refuses what it cannot write, and a flow that is broken', async () => {
    const folder = folderOf({ 'flow.yaml': flow, 'broken.yaml': 'initial_node: a\nnodes: {}\n' });
    expect((await roomflowHere(['export', 'flow.yaml', '--to', 'visio'], '', folder)).code).toBe(2);
    const broken = await roomflowHere(['export', 'broken.yaml', '--to', 'dot'], '', folder);
    expect([broken.code, broken.out]).toEqual([2, expect.stringContaining('broken.yaml:')]);
  });
});
