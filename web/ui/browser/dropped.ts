// The files of a drop, with those of folders.

/** So many files of a drop are read: a folder may be a whole disk. */
const MOST = 5_000;

/** What was dropped; `inFolder` where a folder was, and `more` where it has more files than are read. */
export interface Dropped {
  files: File[];
  inFolder: boolean;
  more: boolean;
}

const paths = new WeakMap<File, string>();

/** The path of a file in the folder that was dropped with it; its name, where it was dropped by itself. */
export const pathOf = (file: File): string => paths.get(file) ?? file.name;

/** The files of an entry; folders and files whose names begin with a dot, such as `.git`, are passed over. */
async function within(entry: FileSystemEntry, folder: string, found: Dropped): Promise<void> {
  if (folder !== "" && entry.name.startsWith(".")) return;
  if (found.files.length >= MOST) {
    found.more = true;
    return;
  }
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    paths.set(file, `${folder}${file.name}`.replace(/^[^/]*\//, ""));
    found.files.push(file);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const one of entries) await within(one, `${folder}${entry.name}/`, found);
  }
}

/** Must be called while the event is handled: afterwards a browser forgets what was dropped. */
export async function droppedFiles(data: DataTransfer): Promise<Dropped> {
  const found: Dropped = { files: [...data.files], inFolder: false, more: false };
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return found;
  found.files = [];
  found.inFolder = true;
  for (const entry of entries) await within(entry, "", found);
  return found;
}
