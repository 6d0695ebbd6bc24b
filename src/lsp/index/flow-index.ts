import type { Stretch, SyntaxMap, SyntaxNode } from '../../flow/load/yaml/syntax-tree.ts';
import type { SchemaAlternatives } from './schema-view.ts';

/** The kinds of names in a flow. */
export type NameKind = 'node' | 'slot' | 'variable' | 'input' | 'function' | 'parameter' | 'handler' | 'flow' | 'type';

/** A place where a flow declares or uses a name. */
export interface Occurrence extends Stretch {
  /** The path of its file. */
  readonly file: string;
  readonly kind: NameKind;
  readonly name: string;
  readonly isDeclaration: boolean;
  /** The group of tasks that has the node, or the function that has the parameter. Empty for the flow. */
  readonly scope: string;
  /** The node that contains it, or null. */
  readonly inside: string | null;
  /** It is the argument of a function that runs code, so the code uses its name as well. */
  readonly isCode?: boolean;
}

/** A file that a flow names: an include or a prompt file. */
export interface FileUse extends Stretch {
  readonly file: string;
  readonly name: string;
  /** The path of the file, even if it does not exist. */
  readonly target: string;
}

/** A place in a flow: what its schema allows, and the node and function that contain it. */
export interface NamePosition {
  readonly spot: SchemaAlternatives;
  /** The definition and its key that the place belongs to, such as `Function` and `transition_to`. */
  readonly title: string;
  readonly key: string;
  readonly inside: string | null;
  readonly node: SyntaxMap | null;
  readonly function: SyntaxMap | null;
  readonly scope: string;
}

/** A node of a flow and its text. */
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

/** The index of all names of a flow, for requests of an editor. */
export interface FlowIndex {
  readonly path: string;
  readonly isTaskFlow: boolean;
  readonly occurrences: readonly Occurrence[];
  readonly files: readonly FileUse[];
  /** The flow's own file, and the files that it includes or reads its prompts from. */
  readonly paths: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, IndexedNode>;
  readonly slots: ReadonlyMap<string, SyntaxNode>;
  /** Variables and inputs, each with its text, if any. */
  readonly values: ReadonlyMap<string, { readonly kind: 'variable' | 'input'; readonly node: SyntaxNode | null }>;
  /** Functions by name, each where it is offered. */
  readonly functions: readonly { readonly name: string; readonly inside: string | null; readonly map: SyntaxMap }[];
  readonly edges: readonly IndexedEdge[];
  /** The place in the flow of the content of each included file. */
  readonly included: ReadonlyMap<string, NamePosition>;
}
