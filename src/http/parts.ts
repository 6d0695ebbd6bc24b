import type { Clock, Ids } from '../model/ports/time.ts';
import type { Store } from '../model/ports/store.ts';
import type { AuditBook } from '../people/audit.ts';
import type { Authority } from '../people/authority.ts';
import type { CampaignParts } from '../people/campaigns/keep-campaigns.ts';
import type { LinkSigner } from '../people/links.ts';
import type { Parking } from './parking.ts';

/** The log. Its lines contain no speech, no values and no tokens. */
export interface HttpLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Measures requests, and returns all metrics in the format of Prometheus. */
export interface HttpMetrics {
  request(method: string, route: string, status: number, durationMs: number): void;
  text(): Promise<string>;
}

/** The dependencies of the routes. */
export interface HttpParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The schedules and campaigns of the configuration. */
  readonly plans: CampaignParts;
  readonly authority: Authority;
  readonly audit: AuditBook;
  /** null without a secret in the environment: links are off. */
  readonly links: LinkSigner | null;
  /** The public address of this server, such as `https://desk.example`; null if not set. */
  readonly publicUrl: string | null;
  /** The business name on pages: `http.business`, or the host of `publicUrl`; empty if neither is set. */
  readonly business: string;
  /** Allowed `Host` names, in addition to the loopback ones and that of `publicUrl`. */
  readonly hosts: readonly string[];
  readonly logger: HttpLog;
  readonly metrics: HttpMetrics | null;
  /** A token that may only read the metrics; null or absent for none. */
  readonly metricsToken?: string | null;
  readonly parking: Parking;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}
