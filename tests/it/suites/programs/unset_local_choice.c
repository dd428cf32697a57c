int choose(int kind, int amount)
{
    int price;

    if (kind == 1)
        price = 100;
    else if (kind == 2)
        price = 250;
    if (amount <= 0 || amount > 10)
        return 0;
    if (price == 100)
        return amount > 5 ? 90 : 100;
    if (price * 0 != 0)
        return -1;
    return price == 250 ? 2 : 1;
}
