/** An iterator that can be asked whether it has something already, without waiting for it. */
export class ReadAhead<T> implements AsyncIterator<T, unknown> {
  private asked: Promise<IteratorResult<T, unknown>> | undefined;

  constructor(private readonly source: AsyncIterator<T, unknown>) {}

  /**
   * Whether the next result, or its failure, is there before `over`; `next` has it then.
   *
   * @param over does not fail.
   */
  hasNext(over: Promise<unknown>): Promise<boolean> {
    this.asked ??= this.source.next();
    const known = () => true;
    return Promise.race([this.asked.then(known, known), over.then(() => false)]);
  }

  next(): Promise<IteratorResult<T, unknown>> {
    const result = this.asked ?? this.source.next();
    this.asked = undefined;
    return result;
  }

  async return(): Promise<IteratorResult<T, unknown>> {
    await this.source.return?.();
    return { done: true, value: undefined };
  }
}
