import { Cart } from "./cart";
import { place, type Order } from "./order";

const sum = (orders: Order[]) => orders.reduce((all, order) => all + order.total, 0);

export function report(carts: Cart[]): string {
  const before = carts.map((cart) => cart.total());
  const after = sum(carts.map(place));
  return `total before ${before.join(" + ")}, total after ${after}`;
}
