// `roomflow`: everything about a flow that needs no LiveKit. Nothing here loads a file of @livekit.

// Write: a flow, its functions, an agent's configuration.
export { createAgent, defineConfig } from './config/define-config.ts';
export type { AgentConfig } from './config/config.ts';
export type { Actor, ActorRequest, Can, ResolveActor } from './people/authority.ts';
export { defineFlow } from './flow/document/define.ts';
export type { ConversationDocument, ConversationFlow, FlowConfig } from './flow/document/document.ts';
export type { FunctionRef } from './flow/document/function.ts';
export type { ContextStrategy, Node } from './flow/document/node.ts';
export type { TaskFlow } from './flow/document/task-document.ts';
export type {
  ActiveFlowState,
  ConfirmOptions,
  DeadlineOptions,
  EscalateOptions,
  FlowContext,
  FlowDefinition,
  FlowResumeInput,
  FlowReturn,
  FlowYield,
  GeneratorFlow,
  ToolOutcome,
  WaitOptions,
} from './flow/document/generator.ts';
export { ask, end, handoff, interrupt, say, tool } from './flow/document/generator-yields.ts';
export { next } from './livekit/tools/next.ts';
export type { NextNode, ValueAndNext } from './livekit/tools/next.ts';
export type { Command, CommandContext, CommandOutcome, Commands } from './engine/commands.ts';
export type { BeforeLLMDecision, BeforeResponseDecision } from './engine/policy/decisions.ts';
export type {
  AgentContext,
  BeforeLLMInput,
  BeforeResponseInput,
  Hooks,
  OnHookError,
  ResponseMeta,
  ResponseSource,
  StructuredReply,
} from './engine/policy/hooks.ts';
export type {
  DetectorRouter,
  RouteRule,
  RouterConfig,
  RulesRouter,
  SchemaIntentRouter,
} from './engine/policy/router.ts';

// Check: a flow before it runs.
export { checkFlow } from './runner/check-flow.ts';
export type { CheckFlowOptions, FlowCheck } from './flow/load/check-flow.ts';
export { load_flow, loadFlow } from './flow/load/load-flow.ts';
export { FlowInvalidError } from './flow/load/problems/flow-invalid-error.ts';
export { formatDiagnostic } from './flow/document/problems/diagnostic.ts';
export type { Diagnostic } from './flow/document/problems/diagnostic.ts';
export { FlowError } from './model/errors.ts';
export type { FlowErrorCode } from './model/error-codes.ts';
export type { ErrorKind } from './model/error-kinds.ts';
export type { Graph } from './flow/graph/graph.ts';

// Fold: one signal after the other, and a stored session again.
export { step } from './kernel/step.ts';
export type { Step } from './kernel/step.ts';
export { newSession } from './kernel/state/state.ts';
export type { SessionState } from './kernel/state/state.ts';
export type { SessionPosition } from './kernel/state/position.ts';
export type { SessionTurn } from './kernel/state/turn.ts';
export type { SessionKnowledge } from './kernel/state/knowledge.ts';
export type { SessionDialogue } from './kernel/state/dialogue.ts';
export type { SessionPeople } from './kernel/state/people.ts';
export { replaySession } from './runner/replay-session.ts';
export type { ReplayOptions } from './runner/replay-session.ts';
export type { Effect, EffectKey, SharedEffectKind } from './model/effect.ts';
export type { Event, EventType } from './model/events/event.ts';
export type { AuditRecord, InboxEntry } from './model/inbox.ts';
export type { Json, JsonObject } from './model/json.ts';
export type { Signal } from './model/signals/signal.ts';
export { spanName } from './model/events/turn-trace.ts';
export type { TokenCount, TurnMoments, TurnOutcome, TurnSpan, TurnTrace } from './model/events/turn-trace.ts';

// Extend: custom node types, stores, timekeepers and clocks.
export { createCatalog } from './flow/graph/nodes/catalog.ts';
export { defineNodeType } from './flow/graph/nodes/node-type.ts';
export type { NodeType, PureNodeType, RunningNodeType, WaitingNodeType } from './flow/graph/nodes/node-type.ts';
export { builtinCatalog } from './flow/nodes/builtin.ts';
export { openStore } from './runner/options/open-store.ts';
export type { FlatStore } from './store/flat-store.ts';
export { createDurableStore } from './store/durable-store.ts';
export { createWaitRegistry } from './store/wait-registry.ts';
export { createOutboxDispatcher } from './store/outbox-dispatcher.ts';
export type { AuditStore, InboxStore, NewAuditRecord, StoredEntry } from './model/ports/inbox.ts';
export type {
  DurableStore,
  OutboxDispatcher,
  OutboxIntent,
  WaitRecord,
  WaitRegistry,
} from './store/durable-contracts.ts';
export type {
  CallStore,
  EffectOf,
  EffectStore,
  GraphStore,
  KeptCall,
  Lease,
  LeaseStore,
  LoggedSignal,
  HeldCall,
  LostCall,
  OpenEffect,
  OpenEffectQuery,
  SessionQuery,
  SessionSnapshot,
  SessionStore,
  SessionSummary,
  StepCommit,
  StepStore,
  Store,
} from './model/ports/store.ts';
export type { SqlTransaction, Timekeeper } from './model/ports/timekeeper.ts';
export { systemClock } from './system.ts';
export type { Clock, Ids, Random } from './model/ports/time.ts';
