/** A model's name, such as `maker/model`, as part of a path. */
export function modelPath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}
