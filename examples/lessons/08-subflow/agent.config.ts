import { defineConfig } from 'roomflow';

// Files are found from this one's folder.
export default defineConfig({ flows: { 'add-tax': 'add-tax.yaml' } });
