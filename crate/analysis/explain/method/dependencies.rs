//! What edges read and write, along a path and anywhere (DBG10, Section III-B, Definition 2).
//!
//! A [`Resource`] is a variable, a whole array, or one element of an array. Along a path most indices are known numbers,
//! so that an element is a variable of its own there ([`Access`]); anywhere else an index is known only where it is a
//! constant of the text ([`Effects`], the paper's `maywrite`).
//!
//! A store to an element that is known writes that element only. A store elsewhere writes the array as a whole, and since
//! it leaves the other elements as they were, a read of one of them depends on the earlier stores too.

use crate::logic::{Arrange, Int, Pool, gathered};
use crate::lts::{ArrayId, BinaryOp, EdgeId, Expr, Label, Lts, Print, VariableId};
use crate::symex::State;
use rustc_hash::FxHashMap;

/// A number for a variable, an array, or an element of an array: see [`Resources`].
pub type Resource = u32;

/// What a resource is the number of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    Variable(VariableId),
    Whole(ArrayId),
    Element(ArrayId, Int),
}

/// The numbers of all resources: variables, then whole arrays, then elements in the order in which paths bring them up.
#[derive(Clone, Debug)]
pub struct Resources {
    variables: u32,
    kinds: Vec<ResourceKind>,
    elements: FxHashMap<(ArrayId, Int), Resource>,
}

impl Resources {
    pub fn new(lts: &Lts) -> Resources {
        let variables = (0..lts.variables.len() as u32).map(|id| ResourceKind::Variable(VariableId(id)));
        let arrays = (0..lts.arrays.len() as u32).map(|id| ResourceKind::Whole(ArrayId(id)));
        Resources { variables: lts.variables.len() as u32, kinds: variables.chain(arrays).collect(), elements: FxHashMap::default() }
    }

    pub fn variable(&self, id: VariableId) -> Resource {
        id.0
    }

    pub fn whole(&self, id: ArrayId) -> Resource {
        self.variables + id.0
    }

    pub fn element(&mut self, id: ArrayId, index: Int) -> Resource {
        let kinds = &mut self.kinds;
        *self.elements.entry((id, index.clone())).or_insert_with(|| {
            kinds.push(ResourceKind::Element(id, index));
            kinds.len() as Resource - 1
        })
    }

    /// How many resources there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    pub fn kind(&self, resource: Resource) -> &ResourceKind {
        &self.kinds[resource as usize]
    }

    /// The array that a resource is or belongs to; `None` for a variable.
    pub fn array(&self, resource: Resource) -> Option<ArrayId> {
        match self.kind(resource) {
            ResourceKind::Variable(_) => None,
            ResourceKind::Whole(array) | ResourceKind::Element(array, _) => Some(*array),
        }
    }

    /// The bit of a resource; elements have that of their array.
    fn bit(&self, resource: Resource) -> Mask {
        let one = self.array(resource).map_or(resource, |array| self.whole(array));
        1 << (one % Mask::BITS)
    }

    /// The bits of some resources.
    pub fn mask(&self, resources: &[Resource]) -> Mask {
        resources.iter().fold(0, |mask, &one| mask | self.bit(one))
    }
}

/// A set of resources, roughly: if two masks have no bit in common, their sets have no resource in common.
pub type Mask = u64;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteTarget {
    Nothing,
    Variable(Resource),
    /// One element, known; the array it belongs to.
    Element(ArrayId, Resource),
    /// Some element.
    Somewhere(ArrayId),
    /// All elements.
    Fill(ArrayId),
}

impl WriteTarget {
    /// The mask of what it may write.
    pub fn mask(self, resources: &Resources) -> Mask {
        match self {
            WriteTarget::Nothing => 0,
            WriteTarget::Variable(variable) => resources.bit(variable),
            WriteTarget::Element(array, _) | WriteTarget::Somewhere(array) | WriteTarget::Fill(array) => {
                resources.bit(resources.whole(array))
            }
        }
    }

    /// Whether it may write something of `live`.
    pub fn meets(self, resources: &Resources, live: &[Resource]) -> bool {
        match self {
            WriteTarget::Nothing => false,
            WriteTarget::Variable(variable) => live.contains(&variable),
            WriteTarget::Element(array, element) => live.contains(&element) || live.contains(&resources.whole(array)),
            WriteTarget::Somewhere(array) | WriteTarget::Fill(array) => live.iter().any(|&one| resources.array(one) == Some(array)),
        }
    }
}

/// What an edge of a path reads and writes there.
#[derive(Clone, Debug)]
pub struct Access {
    pub reads: Vec<Resource>,
    pub write: WriteTarget,
    /// [`WrittenPlace::mask`].
    pub mask: Mask,
    /// What the index of a store reads; empty for other edges.
    pub index_reads: Vec<Resource>,
}

/// What an edge may write wherever it is executed.
#[derive(Clone, Debug)]
pub struct Effects {
    writes: Vec<WriteTarget>,
    /// Edges that access no array: the same on every path.
    fixed: Vec<Option<Access>>,
}

impl Effects {
    pub fn new(lts: &Lts, resources: &mut Resources) -> Effects {
        let writes = lts.graph.edge_indices().map(|edge| match &lts.graph[edge].label {
            Label::Skip | Label::Assume { .. } => WriteTarget::Nothing,
            Label::Assign(variable, _) | Label::Havoc(variable) => WriteTarget::Variable(resources.variable(*variable)),
            Label::Store { array, index: Expr::Int(index), .. } => WriteTarget::Element(*array, resources.element(*array, index.clone())),
            Label::Store { array, .. } => WriteTarget::Somewhere(*array),
            Label::Fill(array, _) | Label::HavocArray(array) => WriteTarget::Fill(*array),
        });
        let writes: Vec<WriteTarget> = writes.collect();
        let fixed = lts.graph.edge_indices().map(|edge| {
            let mut reads = Vec::new();
            let plain = expressions(lts, edge).into_iter().all(|expr| variables_read(resources, expr, &mut reads));
            let is_store = matches!(lts.graph[edge].label, Label::Store { .. });
            (plain && !is_store).then(|| Access {
                reads: sorted(reads),
                write: writes[edge.index()],
                mask: writes[edge.index()].mask(resources),
                index_reads: Vec::new(),
            })
        });
        Effects { fixed: fixed.collect(), writes }
    }

    /// `maywrite`: what an edge may write wherever it is executed.
    pub fn may_write(&self, edge: EdgeId) -> WriteTarget {
        self.writes[edge.index()]
    }

    /// What an edge reads and writes when an execution takes it from this state.
    pub fn access(&self, lts: &Lts, resources: &mut Resources, pool: &mut Pool, state: &State, edge: EdgeId) -> Access {
        if let Some(access) = &self.fixed[edge.index()] {
            return access.clone();
        }
        let mut look = ExpressionScan { resources, pool, state, reads: Vec::new() };
        expressions(lts, edge).into_iter().for_each(|expr| look.read(expr));
        let reads = sorted(std::mem::take(&mut look.reads));
        match &lts.graph[edge].label {
            Label::Store { array, index, .. } => {
                look.read(index);
                let index_reads = sorted(std::mem::take(&mut look.reads));
                let write = match look.value(index) {
                    Some(index) => WriteTarget::Element(*array, look.resources.element(*array, index)),
                    None => WriteTarget::Somewhere(*array),
                };
                Access { reads, write, mask: write.mask(look.resources), index_reads }
            }
            _ => {
                let write = self.writes[edge.index()];
                Access { reads, write, mask: write.mask(resources), index_reads: Vec::new() }
            }
        }
    }
}

fn sorted(mut list: Vec<Resource>) -> Vec<Resource> {
    list.arrange();
    list.dedup();
    list
}

/// All expressions that an edge evaluates.
fn expressions(lts: &Lts, edge: EdgeId) -> Vec<&Expr> {
    let edge = &lts.graph[edge];
    let mut found = edge.label.operands();
    // What an edge prints or gives back counts where that can be undefined: then the edge has a condition for it.
    let operands = edge.prints.iter().flat_map(Print::operands).chain(&edge.returns);
    found.extend(operands.filter(|value| value.can_be_undefined(&lts.arrays)));
    found
}

/// Adds the variables that an expression reads; `false` if it reads an array.
fn variables_read(resources: &Resources, expr: &Expr, reads: &mut Vec<Resource>) -> bool {
    let mut no_array = true;
    expr.walk(&mut |part| match part {
        Expr::Var(variable) => reads.push(resources.variable(*variable)),
        Expr::Read(..) => no_array = false,
        _ => {}
    });
    no_array
}

/// A look at expressions from a state.
struct ExpressionScan<'a> {
    resources: &'a mut Resources,
    pool: &'a mut Pool,
    state: &'a State,
    reads: Vec<Resource>,
}

impl ExpressionScan<'_> {
    fn read(&mut self, expr: &Expr) {
        match expr {
            Expr::Var(variable) => self.reads.push(self.resources.variable(*variable)),
            Expr::Read(array, index) => {
                self.read(index);
                let element = match self.value(index) {
                    Some(index) => self.resources.element(*array, index),
                    None => self.resources.whole(*array),
                };
                self.reads.push(element);
            }
            _ => expr.children(&mut |child| self.read(child)),
        }
    }

    /// The value of an expression, where it is a number.
    fn value(&mut self, expr: &Expr) -> Option<Int> {
        match expr {
            Expr::Int(value) => Some(value.clone()),
            Expr::Var(variable) => self.state.variable(*variable).as_constant().cloned(),
            Expr::Read(array, index) => {
                let index = crate::logic::Linear::constant(self.value(index)?);
                self.pool.select(self.state.array(*array), &index).as_constant().cloned()
            }
            Expr::Neg(inner) => Some(-&self.value(inner)?),
            Expr::Binary(op, l, r) => {
                let (l, r) = (self.value(l)?, self.value(r)?);
                match op {
                    BinaryOp::Add => Some(&l + &r),
                    BinaryOp::Sub => Some(&l - &r),
                    BinaryOp::Mul => Some(&l * &r),
                    BinaryOp::Div => l.div_rem_trunc(&r).map(|pair| pair.0),
                    BinaryOp::Rem => l.div_rem_trunc(&r).map(|pair| pair.1),
                    BinaryOp::And => Some(l.bit_and(&r)),
                    BinaryOp::Or => Some(l.bit_or(&r)),
                    BinaryOp::Xor => Some(l.bit_xor(&r)),
                    BinaryOp::ShiftLeft(_) | BinaryOp::ShiftRight(_) => None,
                }
            }
            Expr::Convert(range, inner) => Some(range.wrap(&self.value(inner)?)),
            // Where the value is not defined the path has no executions, and any value will do.
            Expr::Checked(_, inner) | Expr::Within(_, _, inner) | Expr::Guarded(_, _, inner) => self.value(inner),
            Expr::Nondet(..) | Expr::Not(_) | Expr::Compare(..) => None,
        }
    }
}

/// `reader →(resource) writer`: positions on a path; the writer `None` is the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    pub reader: usize,
    pub resource: Resource,
    pub writer: Option<usize>,
}

/// The path flow dependencies from these positions on, directly or indirectly (Fig. 5).
pub fn dependencies(resources: &Resources, accesses: &[Access], positions: &[usize]) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut waiting: Vec<(usize, Resource)> =
        positions.iter().flat_map(|&at| accesses[at].reads.iter().map(move |&resource| (at, resource))).collect();
    let mut seen: crate::logic::SortedSet<(usize, Resource)> = gathered(waiting.iter().copied());
    while let Some((reader, resource)) = waiting.pop() {
        let writer = (0..reader).rev().find(|&at| accesses[at].write.meets(resources, &[resource]));
        found.push(Dependency { reader, resource, writer });
        if let Some(writer) = writer {
            let mut more = accesses[writer].reads.clone();
            // The elements that the store leaves as they were count too.
            match accesses[writer].write {
                WriteTarget::Somewhere(array) => more.push(resources.whole(array)),
                WriteTarget::Element(array, element) if element != resource => more.push(resources.whole(array)),
                _ => {}
            }
            waiting.extend(more.into_iter().map(|resource| (writer, resource)).filter(|&pair| seen.insert(pair)));
        }
    }
    found.arrange();
    found
}
