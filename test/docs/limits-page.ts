import { workerSchema } from '../../src/config/worker-schema.ts';
import { askingTimeoutMs, defaultLimits, functionTimeoutMs, limitsSchema } from '../../src/engine/limits.ts';
import { defaultHookTimeoutMs } from '../../src/engine/policy/hooks.ts';

/** Renders `docs/reference/limits.md`: every default limit, read from the code. */
export function limitsPage(): string {
  const turn = Object.entries(defaultLimits).map(([key, value]) => {
    const { description = '' } = limitsSchema.shape[key as keyof typeof defaultLimits]; // Keys of the same schema.
    const what = description.replace(/\. Default: (?:[\d,]+|none)\.$/, '');
    if (!description.endsWith(`. Default: ${number(value)}.`))
      throw new Error(`limits.${key}: its description has no default`);
    return row(what, number(value), `limits.${key}`);
  });
  const worker = Object.entries(workerSchema.unwrap().shape).flatMap(([key, { description = '' }]) => {
    const [, what = '', value] = /^(.*)\. Default: ([\d,]+)\.$/.exec(description) ?? [];
    return value === undefined ? [] : [row(what, value, `worker.${key}`)];
  });
  const functions = [
    row('Timeout of a function, in milliseconds', number(functionTimeoutMs), 'timeout_ms'),
    row('Timeout of a function that asks the caller, in milliseconds', number(askingTimeoutMs), 'timeout_ms'),
    row('Attempts of a function', '1', 'retry.max_attempts'),
    row('Timeout of a hook, in milliseconds', number(defaultHookTimeoutMs), 'hooks.timeoutMs'),
  ];
  return `# Default limits

The default limits. \`limits\`, \`worker\` and \`hooks\` are keys of \`agent.config.ts\`; the keys of a function are in the flow.
Times whose name ends with \`Ms\` or \`_ms\` are in milliseconds.

A function that exceeds its time limit has failed: the model reads the failure, the flow takes \`on_error\`, the log has a warning with
\`reason: timeout\`, and the turn counts as \`failed\` in the metrics. A write that still runs is not started a second time.

## Functions and hooks

${table(functions)}

## One turn, and a conversation

${table(turn)}

## A worker

${table(worker)}
`;
}

function table(rows: readonly string[]): string {
  return ['| limit | default | set by |', '| --- | --- | --- |', ...rows].join('\n');
}

function row(what: string, value: string, key: string): string {
  return `| ${what} | ${value} | \`${key}\` |`;
}

function number(value: number): string {
  return value === Infinity ? 'none' : value.toLocaleString('en');
}
