//! Abstract objects and their cells. A cell is a scalar or a pointer of an object, told apart by the members on the way; all elements of an
//! array are one cell. A structure has a cell of its own, which is its address, and after it those of its members.

use crate::lang::ast::{DeclId, Program, Shape, StructId};

/// The cell of everything that the program does not define, and the node of the pointers there.
pub const OUTSIDE: u32 = 0;
/// Cells that one object may have; beyond them the object is a single cell.
const MAX_PARTS: usize = 256;

/// What a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AbstractObject {
    /// All objects and functions of other parts of the program.
    Outside,
    /// A variable; of a parameter or a local those of all its calls.
    Variable(DeclId),
    /// A string literal, by its number in the order of the analysis.
    Text(usize),
    /// What one call in the text allocates, by the start of its span.
    Allocated(u32),
    /// A function, by its number in [`Program::functions`].
    Function(usize),
    /// What keeps the result of the function with this number.
    Result(usize),
}

/// What a memory access is to: arrays count as their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessShape {
    /// An integer or floating-point number of so many bytes.
    Scalar(i64),
    Pointer,
    Struct(StructId),
    /// Bytes of unknown meaning.
    Bytes,
}

impl AccessShape {
    pub fn of(program: &Program, shape: Option<&Shape>) -> AccessShape {
        match shape {
            Some(Shape::Array { element, .. }) => AccessShape::of(program, Some(element)),
            Some(Shape::Scalar(integer)) => AccessShape::Scalar(integer.size(program.abi)),
            Some(Shape::Pointer(_)) => AccessShape::Pointer,
            // Each member of a union is bytes of the others.
            Some(Shape::Struct(id)) if program.structure(*id).union.is_some() => AccessShape::Bytes,
            Some(Shape::Struct(id)) => AccessShape::Struct(*id),
            _ => AccessShape::Bytes,
        }
    }

    /// Whether a value of this shape may hold an address.
    pub fn holds_addresses(self) -> bool {
        matches!(self, AccessShape::Pointer | AccessShape::Bytes)
    }
}

/// How an access fits a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The cell belongs to other parts of the program, or is a function.
    Foreign,
    /// The access is to the cell alone.
    Exact,
    /// The cell is a whole object whose parts are not told apart.
    Whole,
    /// The access may be to any cell of the object.
    Mixed,
}

#[derive(Clone, Copy)]
struct AbstractCell {
    object: u32,
    shape: AccessShape,
    /// Of a structure the cell of its first member; the others follow.
    first_part: u32,
}

struct ObjectCells {
    what: AbstractObject,
    first: u32,
    end: u32,
}

/// All objects with their cells. Numbers of cells are numbers of nodes of the constraint graph; some nodes are no cells.
pub struct CellTable {
    cells: Vec<AbstractCell>,
    objects: Vec<ObjectCells>,
}

impl CellTable {
    /// The table with the outside object alone.
    pub fn with_outside() -> CellTable {
        let outside = AbstractCell { object: 0, shape: AccessShape::Bytes, first_part: 0 };
        CellTable { cells: vec![outside], objects: vec![ObjectCells { what: AbstractObject::Outside, first: 0, end: 1 }] }
    }

    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// A new node that is no cell.
    pub fn temporary(&mut self) -> u32 {
        self.cells.push(AbstractCell { object: u32::MAX, shape: AccessShape::Bytes, first_part: 0 });
        self.cells.len() as u32 - 1
    }

    /// A new object of this shape, where that is known; gives its first cell.
    pub fn object(&mut self, program: &Program, what: AbstractObject, shape: Option<&Shape>) -> u32 {
        let (first, object) = (self.cells.len(), self.objects.len() as u32);
        let cell = |shape: Option<&Shape>| AbstractCell { object, shape: AccessShape::of(program, shape), first_part: 0 };
        self.cells.push(cell(shape));
        let mut at = first;
        while at < self.cells.len() {
            if let AccessShape::Struct(id) = self.cells[at].shape {
                self.cells[at].first_part = self.cells.len() as u32;
                let members = program.structure(id).members.iter().flatten();
                self.cells.extend(members.map(|member| cell(Some(&member.shape))));
            }
            if self.cells.len() - first > MAX_PARTS {
                self.cells.truncate(first);
                self.cells.push(cell(None));
            }
            at += 1;
        }
        self.objects.push(ObjectCells { what, first: first as u32, end: self.cells.len() as u32 });
        first as u32
    }

    /// The number of the cell's object.
    pub fn object_of(&self, cell: u32) -> u32 {
        self.cells[cell as usize].object
    }

    pub fn what(&self, object: u32) -> AbstractObject {
        self.objects[object as usize].what
    }

    pub fn objects(&self) -> impl Iterator<Item = AbstractObject> {
        self.objects.iter().map(|object| object.what)
    }

    /// The cells of an object that may hold addresses.
    pub fn addresses(&self, object: u32) -> impl Iterator<Item = u32> + use<> {
        let cells: Vec<u32> = self.cells_of(object).filter(|&cell| self.cells[cell as usize].shape.holds_addresses()).collect();
        cells.into_iter()
    }

    pub fn cells_of(&self, object: u32) -> std::ops::Range<u32> {
        let object = &self.objects[object as usize];
        object.first..object.end
    }

    /// How an access of this shape by the address of a cell fits.
    pub fn fit(&self, cell: u32, shape: AccessShape) -> Fit {
        let AbstractCell { object, shape: own, .. } = self.cells[cell as usize];
        match self.objects[object as usize].what {
            AbstractObject::Outside | AbstractObject::Function(_) => Fit::Foreign,
            _ if own == AccessShape::Bytes => Fit::Whole,
            _ if own == shape => Fit::Exact,
            _ => Fit::Mixed,
        }
    }

    /// The cell of a member of the structure at a cell; itself where parts are not told apart.
    pub fn member(&self, cell: u32, member: usize) -> u32 {
        let AbstractCell { first_part, .. } = self.cells[cell as usize];
        if first_part == 0 { cell } else { first_part + member as u32 }
    }

    /// The cell at the end of a path of members.
    pub fn part(&self, first: u32, path: &[usize]) -> u32 {
        path.iter().fold(first, |cell, &member| self.member(cell, member))
    }

    /// Whether the cell may hold an address.
    pub fn holds_addresses(&self, cell: u32) -> bool {
        self.cells[cell as usize].shape.holds_addresses()
    }
}
