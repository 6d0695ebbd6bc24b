/** The styles of a drawing. No variables, so that programs other than browsers can show it. */
export const svgStyle = `
.flow text{font:11.5px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;text-anchor:middle;fill:#5d6269}
.flow .name{font-size:13px;font-weight:600;fill:#1b1d21}
.flow .paper{fill:#f5f5f2}.flow .label rect{fill:#f5f5f2}
.flow .body{fill:#ffffff;stroke:#8a8d88;stroke-width:1.2}
.flow .ask .body{stroke-width:2}.flow .model .body{stroke-dasharray:6 3}.flow .end .body{stroke-width:2.4}
.flow .call .body,.flow .task .body{fill:#f0f0ec}.flow .wait .body{fill:#fdf3df;stroke:#8a5300}
.flow .chip rect{fill:#f0f0ec}.flow .begin{fill:#0d6b5e;stroke:#f5f5f2;stroke-width:2}
.flow .arrow{fill:none;stroke:#9a9d98;stroke-width:1.4}.flow .arrow.default{stroke-dasharray:2 3}
.flow .arrow.condition{stroke:#7237c9}.flow .arrow.trouble{stroke:#b42318;stroke-dasharray:5 4}
.flow .tip{fill:#9a9d98}.flow .tip.condition{fill:#7237c9}.flow .tip.trouble{fill:#b42318}
.flow .label.condition text{fill:#7237c9}.flow .label.trouble text{fill:#b42318}
@media(prefers-color-scheme:dark){
.flow text{fill:#9aa1ab}.flow .name{fill:#e8e9eb}.flow .paper,.flow .label rect{fill:#0e1013}
.flow .body{fill:#1c2026;stroke:#6c737d}.flow .call .body,.flow .task .body,.flow .chip rect{fill:#262c34}
.flow .wait .body{fill:#33290f;stroke:#f2c063}.flow .begin{fill:#4fd1b8;stroke:#0e1013}
.flow .arrow{stroke:#666d77}.flow .tip{fill:#666d77}
.flow .arrow.condition{stroke:#c3a2ff}.flow .tip.condition,.flow .label.condition text{fill:#c3a2ff}
.flow .arrow.trouble{stroke:#ff8f85}.flow .tip.trouble,.flow .label.trouble text{fill:#ff8f85}
}
`;
