// The files of a drop, with those of folders.

/** So many files of a drop are read: a folder may be a whole disk. */
const MOST = 5_000;

async function within(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (found.length >= MOST) return;
  if (entry.isFile) {
    found.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const one of entries) await within(one, found);
  }
}

/** Must be called while the event is handled: afterwards a browser forgets what was dropped. */
export function droppedFiles(data: DataTransfer): Promise<{ files: File[]; inFolder: boolean }> {
  const files = [...data.files];
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve({ files, inFolder: false });
  const found: File[] = [];
  return entries
    .reduce((before, entry) => before.then(() => within(entry, found)), Promise.resolve())
    .then(() => ({ files: found, inFolder: true }));
}
