import type { Clock, Ids } from '../ports/time.ts';
import type { Store } from '../ports/store.ts';
import type { AuditBook } from '../people/audit.ts';
import type { Authority } from '../people/authority.ts';
import type { CampaignParts } from '../people/campaigns/keep-campaigns.ts';
import type { LinkSigner } from '../people/links.ts';
import type { Parking } from './parking.ts';

/** Where lines of the log go; they hold no speech, no values and no tokens. */
export interface HttpLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Measures requests, and tells all that is measured as Prometheus reads it. */
export interface HttpMetrics {
  request(method: string, route: string, status: number, durationMs: number): void;
  text(): Promise<string>;
}

/** What the routes work on. */
export interface HttpParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The schedules and campaigns of the configuration. */
  readonly plans: CampaignParts;
  readonly authority: Authority;
  readonly audit: AuditBook;
  /** Null where the environment has no secret: then there are no links. */
  readonly links: LinkSigner | null;
  /** Where people reach this server, such as `https://desk.example`; null where it is only reached by its address. */
  readonly publicUrl: string | null;
  /** The name under which the server asks: `http.business`, or the host of `publicUrl`; empty if neither is set. */
  readonly business: string;
  /** More names that the `Host` of a request may have, besides the loopback ones and that of `publicUrl`. */
  readonly hosts: readonly string[];
  readonly logger: HttpLog;
  readonly metrics: HttpMetrics | null;
  readonly parking: Parking;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
