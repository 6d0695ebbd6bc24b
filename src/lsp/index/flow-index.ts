import type { Stretch, SyntaxMap, SyntaxNode } from '../../flow/load/yaml/syntax-tree.ts';
import type { Spot } from './schema-view.ts';

/** What a name of a flow is the name of. */
export type NameKind = 'node' | 'slot' | 'variable' | 'input' | 'function' | 'parameter' | 'handler' | 'flow' | 'type';

/** A place where a flow declares or uses a name. */
export interface Occurrence extends Stretch {
  /** The path of the file that it stands in. */
  readonly file: string;
  readonly kind: NameKind;
  readonly name: string;
  readonly isDeclaration: boolean;
  /** The tasks among which a node stands, or the function that a parameter belongs to; empty for the flow. */
  readonly scope: string;
  /** The node that it stands in; null where it stands in none. */
  readonly inside: string | null;
  /** It is the argument of a function that code runs, and code calls it so as well. */
  readonly isCode?: boolean;
}

/** A file that a flow names: an include or a prompt file. */
export interface FileUse extends Stretch {
  readonly file: string;
  readonly name: string;
  /** Where it is, or would be. */
  readonly target: string;
}

/** Where in a flow a place is: what its schema allows, and in which node and function it stands. */
export interface Place {
  readonly spot: Spot;
  /** The definition and its key that the place belongs to, such as `Function` and `transition_to`. */
  readonly title: string;
  readonly key: string;
  readonly inside: string | null;
  readonly node: SyntaxMap | null;
  readonly function: SyntaxMap | null;
  readonly scope: string;
}

/** A node of a flow, and the text that it is written in. */
export interface IndexedNode {
  readonly id: string;
  readonly type: string | null;
  readonly scope: string;
  readonly file: string;
  readonly map: SyntaxMap | null;
  /** Its id, where it is declared. */
  readonly declared: Stretch;
}

export interface IndexedEdge {
  readonly from: string;
  readonly to: string;
}

/** All that an editor may be asked about the names of a flow. */
export interface FlowIndex {
  readonly path: string;
  readonly isTaskFlow: boolean;
  readonly occurrences: readonly Occurrence[];
  readonly files: readonly FileUse[];
  /** The flow's own file, and those that it includes or reads its prompts from. */
  readonly paths: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, IndexedNode>;
  readonly slots: ReadonlyMap<string, SyntaxNode>;
  /** Variables and inputs, each with what is written of it, if anything. */
  readonly values: ReadonlyMap<string, { readonly kind: 'variable' | 'input'; readonly node: SyntaxNode | null }>;
  /** Functions by name, each where it is offered. */
  readonly functions: readonly { readonly name: string; readonly inside: string | null; readonly map: SyntaxMap }[];
  readonly edges: readonly IndexedEdge[];
  /** Where in the flow what an included file holds is. */
  readonly included: ReadonlyMap<string, Place>;
}
