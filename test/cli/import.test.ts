import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreignFolder } from '../importers/imported.ts';
import { folderOf, roomflowHere } from './run-cli.ts';

const retell = readFileSync(join(foreignFolder, 'retell-flow.json'), 'utf8');

describe('roomflow import', () => {
  it('prints the flow, and the report beside it', async () => {
    const folder = folderOf({ 'agent.json': retell });
    const { code, out, errors } = await roomflowHere(['import', 'agent.json'], '', folder);
    expect(code).toBe(0);
    expect(out).toMatch(/^name: retell-flow\ninitial_node: hello\n/);
    expect(errors).toContain('agent.json:47:5 variables are extracted by a function');
    expect(errors).toContain('find_parcel: GET https://example.com/parcels');
    expect(errors.trimEnd().split('\n').at(-1)).toMatch(/^a conversation flow of Retell: \d+ taken, \d+ changed/);
  });

  it('writes a flow that passes a check, stubs of its functions, and never over what is there', async () => {
    const folder = folderOf({ 'agent.json': retell });
    const args = ['import', 'agent.json', '--out', 'flow.yaml', '--tools', 'tools.ts'];
    const first = await roomflowHere(args, '', folder);
    expect([first.code, first.errors]).toEqual([0, '']);
    expect(first.out).toContain('was written to flow.yaml');
    expect((await roomflowHere(['check', 'flow.yaml'], '', folder)).out).toMatch(/flow\.yaml: ok/);
    const again = await roomflowHere(args, '', folder);
    expect([again.code, again.errors]).toEqual([2, expect.stringContaining('file-exists: flow.yaml already exists')]);
    expect((await roomflowHere([...args, '--force'], '', folder)).code).toBe(0);
    const json = await roomflowHere(['import', 'agent.json', '--out', 'flow.json'], '', folder);
    expect(json.code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'flow.json'), 'utf8'))).toMatchObject({ initial_node: 'hello' });
  });

  it('makes the folder of a file, and writes neither of two where one has no place', async () => {
    const folder = folderOf({ 'agent.json': retell, 'here/file': '' });
    const args = ['import', 'agent.json', '--out', 'new/flow.yaml', '--tools'];
    for (const [place, why] of [
      ['agent.json/tools.ts', 'ENOTDIR'],
      ['here', 'it is a folder'],
    ] as const) {
      const { code, out, errors } = await roomflowHere([...args, place, '--force'], '', folder);
      const told = `file-unwritable: ${place} cannot be written (${why}). Name another file, or fix the permissions.\n`;
      expect([code, out, errors]).toEqual([2, '', told]);
      expect(existsSync(join(folder, 'new'))).toBe(false);
    }
    expect(await roomflowHere([...args, 'new/tools.ts'], '', folder)).toMatchObject({ code: 0, errors: '' });
    expect(existsSync(join(folder, 'new/flow.yaml'))).toBe(true);
  });

  it('prints one JSON document if asked', async () => {
    const folder = folderOf({ 'agent.json': retell });
    const { out } = await roomflowHere(['import', 'agent.json', '--json'], '', folder);
    expect(JSON.parse(out)).toMatchObject({ flow: { product: 'retell', document: { initial_node: 'hello' } } });
  });

  it.each([
    ['a broken file', 'a.json', '{ "nodes": [', 'json-syntax'],
    ['what is nobody’s', 'a.json', '{ "hello": 1 }', 'unsupported-format'],
    [
      'half of an export',
      'a.json',
      '{ "response_engine": { "type": "retell-llm", "llm_id": "x" } }',
      'without its flow',
    ],
  ])('tells of %s with place, fact and remedy, and writes nothing', async (_, name, text, fact) => {
    const folder = folderOf({ [name]: text });
    const { code, out } = await roomflowHere(['import', name, '--out', 'flow.yaml'], '', folder);
    expect(code).toBe(2);
    expect(out).toContain(fact);
    expect(out).toMatch(/^a\.json:\d+:\d+ /);
    expect(existsSync(join(folder, 'flow.yaml'))).toBe(false);
  });

  it('refuses a product that it does not know', async () => {
    const folder = folderOf({ 'agent.json': retell });
    const { code, errors } = await roomflowHere(['import', 'agent.json', '--from', 'acme'], '', folder);
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining('option-invalid: --from "acme" is not known. Use pipecat'),
    ]);
  });
});
