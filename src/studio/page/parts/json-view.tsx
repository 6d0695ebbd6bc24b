import type { JSX } from 'preact';
import { escapeBidi } from '../../../model/ports/escape-bidi.ts';

/** A JSON value as a tree with collapsible parts. All content is text. */
export function JsonView({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): JSX.Element {
  if (value === undefined) return <span class="json dim">–</span>;
  if (value === null || typeof value !== 'object') return <span class={`json ${typeof value}`}>{scalar(value)}</span>;
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const brief = escapeBidi(JSON.stringify(value));
  if (entries.length === 0 || (brief.length <= 48 && depth > 0)) return <span class="json">{brief}</span>;
  return (
    <details class="json" open={depth < 2 && brief.length < 600}>
      <summary>{isList ? `${entries.length} items` : `${entries.length} fields`}</summary>
      <dl>
        {entries.map(([name, inner]) => (
          <div key={name}>
            <dt>{escapeBidi(name)}</dt>
            <dd>
              <JsonView value={inner} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? escapeBidi(value) : JSON.stringify(value);
}
