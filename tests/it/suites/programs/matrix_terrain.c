#define ROWS 3
#define COLUMNS 4

unsigned char terrain[ROWS][COLUMNS] = {
	{ 9, 9, 9, 9 },
	{ 9, 1, 2, 9 },
	{ 9, 9, 9, 9 },
};

enum move { NORTH = 'n', EAST = 'e', SOUTH = 's', WEST = 'w' };

int walk(int row, int column, char way)
{
	if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS)
		return -1;
	switch (way) {
	case NORTH:
		row--;
		break;
	case SOUTH:
		row++;
		break;
	case EAST:
		column++;
		break;
	case WEST:
		column--;
		break;
	default:
		return -2;
	}
	if (row < 0 || row == ROWS || column < 0 || column == COLUMNS)
		return -3;
	if (terrain[row][column] == 9)
		return 0;
	if (terrain[row][column] > 127)
		terrain[row][column] -= 128;
	else
		terrain[row][column]++;
	return terrain[row][column];
}
