import { render } from 'preact';
import { App } from './app.tsx';
import { startFiles } from './editor/files.ts';
import { startLayout } from './graph/laid-out.ts';
import { startStudio } from './model/studio.ts';
import { startFolding } from './time/positions.ts';

const host = document.getElementById('studio');
if (host !== null) render(<App />, host);
void startStudio();
startLayout();
startFiles();
startFolding();
