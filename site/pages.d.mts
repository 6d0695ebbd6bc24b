export interface SidebarGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

export function sitePages(): {
  readonly pages: ReadonlyMap<string, string>;
  readonly images: ReadonlyMap<string, string>;
};
export function sidebar(): readonly SidebarGroup[];
