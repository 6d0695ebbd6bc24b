import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Ends a test run with the name of each skipped test and the reason it gave to `ctx.skip(reason)`. */
export default class SkippedReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Choosing tests by name skips all the others, which is no news.
    if (this.#vitest?.config.testNamePattern !== undefined) return;
    const lines = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => {
        const result = test.result();
        const reason = (result.state === 'skipped' && result.note) || 'no reason given';
        return `  ${module.relativeModuleId} > ${test.fullName}: ${reason}\n`;
      }),
    );
    if (lines.length > 0) this.#vitest?.logger.log(`Skipped:\n${lines.join('')}`);
  }
}
