import type { ArrowShown, FlowShown, FunctionShown, NodeShown } from './flow-shown.ts';

/** The boxes and arrows of a flow, without positions. */
export interface Picture {
  /** The start node of conversations. */
  readonly initial: string;
  readonly nodes: readonly PictureNode[];
  readonly arrows: readonly PictureArrow[];
}

export interface PictureNode {
  readonly id: string;
  readonly kind: NodeShown['kind'];
  /** Everything that it says, asks or runs. */
  readonly detail: string;
  readonly chips: readonly PictureChip[];
}

/** A transition shown in the box of its node instead of an arrow. */
export interface PictureChip {
  /**
   * `return`: back to the previous node. `portal`: to an end with many arrows. `code`: the author's code decides.
   * `anywhere`: this node can be entered from any other. `stays`: functions that lead nowhere.
   */
  readonly kind: 'return' | 'portal' | 'code' | 'anywhere' | 'stays';
  readonly text: string;
  /** The target; null if it is not a node. */
  readonly to: string | null;
  /** The ids of the transitions, as `ArrowShown.id`. */
  readonly ways: readonly string[];
}

/** All transitions of one kind between two nodes. */
export interface PictureArrow {
  readonly from: string;
  readonly to: string;
  readonly kind: ArrowKind;
  /** Names of functions and conditions, one per line; empty for automatic transitions. */
  readonly labels: readonly string[];
  /** The ids of the transitions, as `ArrowShown.id`. */
  readonly ways: readonly string[];
}

/** `condition`: its condition holds. `default`: nothing else applies. `trouble`: errors, silence and deadlines. */
export type ArrowKind = 'function' | 'condition' | 'default' | 'trouble';

/** An end with more incoming transitions gets chips instead of arrows, which would cross everything. */
const manyWays = 3;

/** Returns the picture of a flow; deterministic. */
export function pictureOf(flow: FlowShown): Picture {
  const ids = new Set(flow.nodes.map(({ id }) => id));
  const ends = new Set(flow.nodes.filter(({ kind }) => kind === 'end').map(({ id }) => id));
  const local = flow.arrows.filter(({ from }) => ids.has(from));
  const waysTo = new Map<string, number>();
  for (const { to } of local) waysTo.set(to, (waysTo.get(to) ?? 0) + 1);
  const isPortal = ({ from, to }: ArrowShown): boolean =>
    ends.has(to) && from !== to && (waysTo.get(to) ?? 0) > manyWays;
  const chipsOf = (node: NodeShown): readonly PictureChip[] => {
    const own = local.filter(({ from }) => from === node.id);
    const anywhere = flow.arrows.filter(({ from, to }) => from === '*' && to === node.id);
    const chips: PictureChip[] = [];
    const add = (
      kind: PictureChip['kind'],
      lead: string,
      ways: readonly ArrowShown[],
      to: string | null = null,
    ): void => {
      const labels = ways.map(({ label }) => (label === '' ? 'otherwise' : label));
      if (ways.length > 0)
        chips.push({ kind, text: `${lead}${labels.join(', ')}`, to, ways: ways.map(({ id }) => id) });
    };
    add(
      'return',
      '↩ ',
      own.filter(({ to }) => to === returns),
    );
    for (const [to, ways] of grouped(own.filter(isPortal), ({ to }) => to)) add('portal', `→ ${to}: `, ways, to);
    const byCode = node.functions.filter(({ leads }) => leads === 'code');
    if (byCode.length > 0) chips.push(functionChip('code', 'code decides: ', byCode));
    const staying = node.functions.filter(({ leads, body }) => leads === 'nowhere' && body !== 'record');
    if (staying.length > 0) chips.push(functionChip('stays', '↺ ', staying));
    add('anywhere', 'from anywhere: ', anywhere);
    return chips;
  };
  return {
    initial: flow.initial,
    nodes: flow.nodes.map((node) => ({ id: node.id, kind: node.kind, detail: node.detail, chips: chipsOf(node) })),
    arrows: merged(local.filter((arrow) => ids.has(arrow.to) && !isPortal(arrow))),
  };
}

const returns = '$return';

function kindOf({ kind }: ArrowShown): ArrowKind {
  if (kind === 'refused') return 'function';
  return kind === 'function' || kind === 'condition' || kind === 'default' ? kind : 'trouble';
}

function functionChip(kind: 'code' | 'stays', lead: string, functions: readonly FunctionShown[]): PictureChip {
  return { kind, text: `${lead}${functions.map(({ name }) => name).join(', ')}`, to: null, ways: [] };
}

function merged(arrows: readonly ArrowShown[]): readonly PictureArrow[] {
  const groups = grouped(arrows, (arrow) => JSON.stringify([arrow.from, arrow.to, kindOf(arrow)]));
  return [...groups.values()].map(([first, ...others]) => ({
    ...{ from: first.from, to: first.to, kind: kindOf(first) },
    labels: [first, ...others].map(({ label }) => label).filter((label) => label !== ''),
    ways: [first, ...others].map(({ id }) => id),
  }));
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
