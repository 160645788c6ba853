/**
 * The events up to their end, or up to what breaks them off once the answer is over: a connection
 * that dies or falls silent behind the reason to stop takes nothing from the answer.
 */
export async function* unbroken<Event>(
  events: AsyncIterable<Event>,
  isOver: () => boolean,
): AsyncGenerator<Event> {
  try {
    yield* events;
  } catch (error) {
    if (!isOver()) throw error;
  }
}
