import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Ends a test run with the number of skipped tests for each reason given to `ctx.skip(reason)`, and their names. */
export default class SkippedReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Choosing tests by name skips all others, which need not be reported.
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const names = new Map<string, string[]>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = (result.state === 'skipped' && result.note) || 'no reason given';
        names.set(reason, [...(names.get(reason) ?? []), `  ${module.relativeModuleId} > ${test.fullName}\n`]);
      }
    for (const [reason, tests] of names)
      this.#vitest?.logger.log(`${tests.length} skipped: ${reason}\n${tests.join('')}`);
  }
}
