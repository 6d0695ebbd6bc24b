import type { FunctionDocument } from '../../../document/function.ts';
import { returnTarget } from '../../../document/function.ts';
import type { ConversationDocument } from '../../../document/document.ts';
import type { DocumentPath } from '../../../document/problems/diagnostic.ts';
import type { NodeSource, NodeSources } from '../../nodes/node-source.ts';
import { addProblem, type Report } from '../../report.ts';

/** The functions of a flow and its nodes, after `transfer` of a function became a node of its own. */
export interface WithTransfers {
  readonly functions: ConversationDocument['functions'];
  readonly sources: NodeSources;
}

/**
 * Gives each function with `transfer` a node that the function leads to, as a digression: if the person is not reached
 * and no outcome names a node, the flow returns to the node that offered the function.
 */
export function withTransferNodes(
  report: Report,
  { functions }: ConversationDocument,
  given: NodeSources,
): WithTransfers {
  const sources = new Map<string, NodeSource>(given);
  const led = (
    offered: readonly FunctionDocument[] | undefined,
    path: DocumentPath,
    idOf: (name: string) => string,
  ): readonly FunctionDocument[] | undefined =>
    offered?.map((one, index) => {
      if (one.transfer === undefined) return one;
      const at = [...path, 'functions', index];
      reportOtherBody(report, one, at);
      const id = freeId(sources, idOf(one.name));
      sources.set(id, { id, source: { transfer: one.transfer, defaultTransition: returnTarget }, path: at });
      const { transfer: _transfer, ...rest } = one;
      return { ...rest, transitionTo: id, transitionOnly: true, digression: true };
    });
  for (const node of given.values()) {
    const own = led(node.source.functions, node.path, (name) => `${node.id}.${name}`);
    if (own?.some((one, index) => one !== node.source.functions?.[index]) === true)
      sources.set(node.id, { ...node, source: { ...node.source, functions: [...own] } });
  }
  const ofFlow = led(functions, [], (name) => name);
  return { functions: ofFlow === undefined ? undefined : [...ofFlow], sources };
}

function freeId(sources: ReadonlyMap<string, unknown>, id: string): string {
  return sources.has(id) ? freeId(sources, `transfer.${id}`) : id;
}

const otherBodies = ['handler', 'run', 'transitionTo', 'transitionCallback', 'saveAs', 'retry', 'timeoutMs'] as const;

function reportOtherBody(report: Report, source: FunctionDocument, path: DocumentPath): void {
  for (const key of otherBodies)
    if (source[key] !== undefined)
      addProblem(
        report,
        'error',
        'conflicting-keys',
        [...path, key],
        `function "${source.name}" puts the caller through.`,
        {
          hint: 'Remove this key, or remove transfer. The next node stands under transfer.on.',
          atKey: true,
        },
      );
}
