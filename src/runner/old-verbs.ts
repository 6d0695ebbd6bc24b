import type { FlowSource } from '../flow/load/files/flow-library.ts';

/** The methods of `FlowRunner` under the names of earlier releases. Each calls the method of its new name. */
export abstract class OldVerbs<NodeId extends string> {
  abstract get isPersisted(): boolean;
  abstract interrupt(): Promise<void>;
  abstract resume(): Promise<void>;
  abstract flush(): Promise<void>;
  abstract detach(): Promise<void>;
  abstract goTo(node: NodeId): Promise<void>;
  abstract update(flow: FlowSource): Promise<'revised' | 'same' | 'gone'>;

  /** @deprecated Use `isPersisted`. */
  get isKept(): boolean {
    return this.isPersisted;
  }

  /** @deprecated Use `interrupt`. */
  async hush(): Promise<void> {
    await this.interrupt();
  }

  /** @deprecated Use `resume`. */
  async recap(): Promise<void> {
    await this.resume();
  }

  /** @deprecated Use `flush`. */
  async keep(): Promise<void> {
    await this.flush();
  }

  /** @deprecated Use `detach`. */
  async leave(): Promise<void> {
    await this.detach();
  }

  /** @deprecated Use `goTo`. */
  async enter(node: NodeId): Promise<void> {
    await this.goTo(node);
  }

  /** @deprecated Use `update`. */
  async reviseFlow(flow: FlowSource): Promise<'revised' | 'same' | 'gone'> {
    return await this.update(flow);
  }
}
