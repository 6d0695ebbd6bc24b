/** A compiled flow: its name and the hash of its content. */
export interface FlowRef {
  readonly id: string;
  readonly hash: string;
}
