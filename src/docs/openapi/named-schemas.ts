// Named schemas of the OpenAPI document: a schema with a title stands once among the components, and a reference to it
// wherever it is used.

import type { JsonSchema } from '#operations/params/params.ts';

export class NamedSchemas {
  readonly #found = new Map<string, JsonSchema>();

  /** The schema as the document shows it in its place. */
  shown(schema: JsonSchema): JsonSchema {
    const { title, anyOf, ...beside } = schema;
    if (typeof title === 'string') return this.#named(title, schema);
    const [only, ...further] = (anyOf ?? []) as readonly JsonSchema[];
    // A named schema with a meaning of its own in this place: the meaning stands beside the reference.
    if (only?.title !== undefined && further.length === 0) return { ...this.shown(only), ...beside };
    return this.#inside(schema);
  }

  /** By name. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #named(title: string, schema: JsonSchema): JsonSchema {
    const { title: _, ...named } = schema;
    const shown = this.#inside(named);
    const known = this.#found.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(shown)) throw new Error(`two schemas are named ${title}`);
    this.#found.set(title, shown);
    return { $ref: `#/components/schemas/${title}` };
  }

  #inside(schema: JsonSchema): JsonSchema {
    return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, this.#part(keyword, value)]));
  }

  #part(keyword: string, value: unknown): unknown {
    if (keyword === 'properties') {
      const properties = Object.entries(value as Readonly<Record<string, JsonSchema>>);
      return Object.fromEntries(properties.map(([name, schema]) => [name, this.shown(schema)]));
    }
    if (keyword === 'anyOf') return (value as readonly JsonSchema[]).map((schema) => this.shown(schema));
    const isSchema =
      keyword === 'items' ||
      keyword === 'contentSchema' ||
      (keyword === 'additionalProperties' && typeof value === 'object');
    return isSchema ? this.shown(value as JsonSchema) : value;
  }
}
