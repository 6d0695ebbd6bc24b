import type { ContextStrategyName } from '../../flow/document/context/context-strategies.ts';
import type { EffectKey, ToolPayload } from '../../model/effect.ts';
import type { FlowRef } from '../../model/flow-ref.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Divergence, GeneratorYield, InboundWords } from '../../model/signals/generator-yield.ts';
import type { SlotValue } from './knowledge.ts';

/** The place of the conversation in its flow, and the way back. */
export interface SessionPosition {
  readonly flow: FlowRef;
  readonly node: string;
  /** Number of node entries so far; distinguishes visits of the same node. */
  readonly visit: number;
  /** The nodes that led here since the last write, each once, with the slots that decided the way on. */
  readonly path: readonly PathStep[];
  readonly stack: readonly Frame[];
  /** The node whose persona applies; null for the flow's. */
  readonly persona: string | null;
  /** Start of the history shown to the model; null shows everything. */
  readonly context: ContextCut | null;
  /** Documents of dynamic nodes, by content hash. */
  readonly dynamicNodes: Readonly<Record<string, JsonObject>>;
  /** Position of a generator; null in a flow of nodes. */
  readonly generator: GeneratorFrame | null;
  /** The last call of the node's own `call` function. Meaningless in another visit. */
  readonly nodeCall: { readonly visit: number; readonly arguments: JsonObject; readonly isDone: boolean } | null;
  /** Consecutive moves out of trouble without progress. */
  readonly troubles: number;
  /** The visit in which a failed catalog node is retried; 0 before the first. */
  readonly triedAgain: number;
}

/** A node on the path. */
export interface PathStep {
  readonly node: string;
  /** The target, and the slot values that decided it. Absent if no slot did. */
  readonly to?: string;
  readonly reads?: JsonObject;
}

export interface ContextCut {
  readonly key: EffectKey;
  readonly visit: number;
  readonly strategy: ContextStrategyName;
  readonly summary: string | null;
}

/** Progress of a generator. Its answers and yields are in the log, which is its journal. */
export interface GeneratorFrame {
  /** The visit in which the run began; identifies the run in the session. */
  readonly run: number;
  readonly input: Json;
  /** Number of recorded yields. */
  readonly step: number;
  /** Null before the first yield, and after the flow was given up. */
  readonly lastYield: GeneratorYield | null;
  /** The caller's last words. */
  readonly inbound: InboundWords | null;
  /** Number of failures of the current step. */
  readonly failures: number;
  readonly yieldsThisTurn: number;
  /** A recap is due once the replay has matched the record. */
  readonly recapDue: boolean;
  /** Why the session is parked. */
  readonly divergence: Divergence | null;
}

/** A return address: of a digression in the flow, or of a calling flow. */
export interface Frame {
  readonly kind: 'digression' | 'subflow';
  readonly flow: FlowRef;
  readonly node: string;
  readonly persona: string | null;
  /** The calls with an open confirmation when the digression began. */
  readonly asked?: readonly ToolPayload[];
  /** Data that only the calling flow has. */
  readonly caller: CallerData | null;
  /** The caller was routed from here: on return the caller speaks first. */
  readonly routed?: true;
}

/** The data of a calling flow. */
export interface CallerData {
  readonly slots: Readonly<Record<string, SlotValue>>;
  readonly variables: JsonObject;
  readonly outputs: JsonObject;
  readonly input: JsonObject;
}

/** The position before the first node. */
export const noPosition: SessionPosition = {
  flow: { id: '', hash: '' },
  node: '',
  visit: 0,
  path: [],
  stack: [],
  persona: null,
  context: null,
  dynamicNodes: {},
  generator: null,
  nodeCall: null,
  troubles: 0,
  triedAgain: 0,
};
