export interface Item {
  name: string;
  price: number;
  count: number;
}

/** What is in a customer's basket. */
export class Cart {
  private items: Item[] = [];

  add(item: Item): this {
    this.items.push(item);
    return this;
  }

  /** The sum of all items, before discounts. */
  total(): number {
    return this.items.reduce((sum, item) => sum + item.price * item.count, 0);
  }

  isLarge(): boolean {
    return this.total() > 100;
  }
}
