import { describe, expect, it } from 'vitest';
import { defineFlow } from '../../src/flow/document/define.ts';
import { say } from '../../src/flow/document/generator-yields.ts';
import { createFlowLibrary } from '../../src/flow/load/files/flow-library.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

const tutor = defineFlow(async function* tutorFlow() {
  yield* say('Hello.');
});
const desk = defineFlow({ initialNode: 'desk', nodes: { desk: { say: 'Bye.', end: 'done' } } });

describe('the flows of an agent', () => {
  it('are called as they are registered, a generator else like its function', async () => {
    const library = createFlowLibrary({ tutor, desk }, { catalog: builtinCatalog });
    expect(library.compile(tutor).name).toBe('tutor');
    expect(library.compile(desk).name).toBe('desk');
    expect((await library.open('desk'))?.name).toBe('desk');
    expect(createFlowLibrary({}, { catalog: builtinCatalog }).compile(tutor).name).toBe('tutorFlow');
    expect(defineFlow(async function* () {}).name).toBe('flow');
  });

  it('are known by their own names only', async () => {
    const library = createFlowLibrary({ tutor }, { catalog: builtinCatalog });
    for (const name of ['toString', '__proto__', 'nobody']) {
      expect(await library.open(name)).toBeNull();
      expect(await library.generatorOf(name)).toBeNull();
    }
    expect(await library.generatorOf('tutor')).toBe(tutor);
  });

  it('are found again by what a store has kept of them, generators also before they are opened', async () => {
    const library = createFlowLibrary({ tutor }, { catalog: builtinCatalog });
    for (const flow of [tutor, desk]) {
      const { document, hash } = library.compile(flow);
      const kept: unknown = JSON.parse(JSON.stringify(document));
      const other = createFlowLibrary({ tutor }, { catalog: builtinCatalog });
      expect(other.compileKept(kept).hash).toBe(hash);
      expect(await other.generatorOf('tutor')).toBe(tutor);
    }
    const { document } = library.compile(tutor);
    expect(() => createFlowLibrary({}, { catalog: builtinCatalog }).compileKept(document)).toThrow(
      /^flow-version-missing: .*"tutor"/,
    );
  });

  it('are refused with every problem where they are broken', () => {
    const library = createFlowLibrary({}, { catalog: builtinCatalog });
    expect(() =>
      library.compile({ initialNode: 'gret', nodes: { greet: { say: 'Hi', defaultTransition: 'x' } } }),
    ).toThrow(/^flow-invalid: [^]*unknown-initial-node[^]*unknown-target/);
  });
});
