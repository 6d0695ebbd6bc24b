import type { Json, JsonObject } from '../../model/json.ts';

// The names of a flow as types: of a flow that `defineFlow` returned, its own; of any other source every string.

/** The ids of a flow's nodes. */
export type NodeIdOf<Flow> = Flow extends { readonly nodes: infer Nodes }
  ? Nodes extends readonly unknown[]
    ? string
    : keyof Nodes & string
  : string;

/** The names that a function may set: slots and variables. */
export type SettableNameOf<Flow> =
  string extends NodeIdOf<Flow> ? string : KeysAt<Flow, 'slots'> | KeysAt<Flow, 'state'> | VariableOf<FunctionIn<Flow>>;

/** The names that a function may read: slots, variables, outputs of nodes and inputs. */
export type ReadableNameOf<Flow> =
  string extends NodeIdOf<Flow> ? string : SettableNameOf<Flow> | OutputOf<Flow> | KeysAt<Flow, 'input'>;

/** The value of a name: typed for a slot, else any JSON. */
export type ValueOf<Flow, Name extends string> = Flow extends { readonly slots: infer Slots }
  ? Name extends keyof Slots
    ? SlotValue<Slots[Name]>
    : Json
  : Json;

/** The values for a flow's `input`. A field with a default or `optional` may be absent. */
export type InputOf<Flow> =
  Flow extends WithInput<infer Fields>
    ? string extends keyof Fields
      ? JsonObject
      : { readonly [Name in RequiredOf<Fields>]: FieldValue<Fields[Name]> } & {
          readonly [Name in Exclude<keyof Fields, RequiredOf<Fields>>]?: FieldValue<Fields[Name]>;
        }
    : JsonObject;

/** The names of the values that a flow's `input` must have. */
export type RequiredInputOf<Flow> =
  Flow extends WithInput<infer Fields> ? (string extends keyof Fields ? never : RequiredOf<Fields>) : never;

/** The names of the tools that a flow cannot run without. */
export type ToolNameOf<Flow> = Flow extends unknown
  ? string extends NodeIdOf<Flow>
    ? never
    : Exclude<HandlerOf<FunctionIn<Flow>>, KeysAt<Flow, 'tools'>>
  : never;

type WithInput<Fields> = { readonly input: Fields } | { readonly flow: { input: Fields } };

type KeysAt<Flow, Key extends string> = Flow extends { readonly [At in Key]: infer Part } ? keyof Part & string : never;

/** The functions of a flow and of its nodes. */
type FunctionIn<Flow> = Flow extends { readonly nodes: infer Nodes }
  ? ListedIn<Flow> | { [Id in keyof Nodes]: ListedIn<Nodes[Id]> }[keyof Nodes]
  : never;

type ListedIn<Part> = Part extends { readonly functions: readonly (infer Listed)[] } ? Listed : never;

/** The variables that a function of the document sets: its result, and its arguments. */
type VariableOf<Function> =
  | (Function extends { readonly saveAs: infer Name extends string } ? Name : never)
  | (Function extends { readonly parameters: { readonly properties: infer Properties } }
      ? keyof Properties & string
      : never);

type OutputOf<Flow> = Flow extends { readonly nodes: infer Nodes }
  ? { [Id in keyof Nodes]: Nodes[Id] extends { readonly type: string } ? Id : never }[keyof Nodes] & string
  : never;

/** The tool of a function that needs code. */
type HandlerOf<Function> = Function extends { readonly run: string } | { readonly transitionOnly: true }
  ? never
  : Function extends { readonly handler: infer Handler extends string }
    ? Handler
    : Function extends { readonly name: infer Name extends string }
      ? NeedsCode<Function> extends true
        ? Name
        : never
      : never;

type NeedsCode<Function> = Function extends
  | { readonly effect: string }
  | { readonly saveAs: string }
  | { readonly confirm: true | string | object }
  | { readonly transitionTo: object }
  ? true
  : false;

type SlotValue<Slot> = Slot extends { readonly type: 'number' | 'integer' }
  ? number
  : Slot extends { readonly type: 'boolean' }
    ? boolean
    : Slot extends { readonly values: readonly (infer Value extends string)[] }
      ? Value
      : Slot extends { readonly values: infer Values }
        ? keyof Values & string
        : string;

type RequiredOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly default: unknown } | { readonly optional: true }
    ? never
    : Name;
}[keyof Fields];

type FieldValue<Field> = Field extends { readonly type: infer Type } ? JsonOfType<Type> : JsonOfType<Field>;

type JsonOfType<Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'object'
        ? JsonObject
        : Type extends 'array'
          ? readonly Json[]
          : Json;
