import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import type { CheckRequest, CodeNames } from './checker.ts';

/** Messages to the process that runs a configuration: first the configuration, then flows to check. */
export type CheckerOrder =
  | { readonly kind: 'open'; readonly config: string | null }
  | { readonly kind: 'check' | 'test'; readonly id: number; readonly request: CheckRequest };

/** Its answers. `fault` describes what is wrong with the configuration. */
export type CheckerAnswer =
  | { readonly kind: 'opened'; readonly names: CodeNames }
  | { readonly kind: 'broken'; readonly fault: string }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: string }
  | { readonly kind: 'checked'; readonly id: number; readonly diagnostics: readonly Diagnostic[] };
