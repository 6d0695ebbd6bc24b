import type { Refusal } from '../protocol.ts';

/** A file of the flow: its document, prompts, tools, tests or configuration. */
export interface FileShown {
  /** Relative to the folder of the studio. */
  readonly path: string;
  readonly kind: 'flow' | 'prompt' | 'code' | 'test' | 'other';
  readonly etag: string;
}

/** A file on disk. */
export interface FileText {
  readonly path: string;
  readonly text: string;
  readonly etag: string;
}

/** The new text of a file. */
export interface SaveFile {
  readonly text: string;
}

/** The file has changed since it was read. Nothing was saved. */
export interface FileChanged extends Refusal {
  readonly current: FileText;
}
