import { workerSchema } from '../../src/config/worker-schema.ts';
import { askingTimeoutMs, defaultLimits, functionTimeoutMs, limitsSchema } from '../../src/turn/engine/limits.ts';
import { defaultHookTimeoutMs } from '../../src/turn/policy/hooks.ts';

/** `docs/reference/limits.md`: every limit that holds without a word of the author, written from the code. */
export function limitsPage(): string {
  const turn = Object.entries(defaultLimits).map(([key, value]) => {
    const { description = '' } = limitsSchema.shape[key as keyof typeof defaultLimits]; // Keys of the same schema.
    const what = description.replace(/; [\d,]+\.$/, '');
    if (!description.endsWith(`; ${number(value)}.`)) throw new Error(`limits.${key}: its description has no default`);
    return row(what, number(value), `limits.${key}`);
  });
  const worker = Object.entries(workerSchema.unwrap().shape).flatMap(([key, { description = '' }]) => {
    const [, what = '', value] = /^(.*); ([\d,]+)(?: where absent)?\.$/.exec(description) ?? [];
    return value === undefined ? [] : [row(what, value, `worker.${key}`)];
  });
  const functions = [
    row('Milliseconds that a function may take', number(functionTimeoutMs), 'timeout_ms'),
    row('Milliseconds of a function that asks the caller', number(askingTimeoutMs), 'timeout_ms'),
    row('Attempts of a function', '1', 'retry.max_attempts'),
    row('Milliseconds that a hook may take', number(defaultHookTimeoutMs), 'hooks.timeoutMs'),
  ];
  return `# Default limits

Limits that hold if you set nothing. \`limits\`, \`worker\` and \`hooks\` stand in \`agent.config.ts\`, the keys of a function in the flow.
Times whose name ends with \`Ms\` or \`_ms\` are in milliseconds.

A function that takes longer than its time has failed: the model is told so, \`on_error\` is taken, the log has a warning with
\`reason: timeout\`, and the turn counts as \`failed\` in the metrics. A write that still runs is not done a second time.

## Functions and hooks

${table(functions)}

## One turn

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
  return value.toLocaleString('en');
}
